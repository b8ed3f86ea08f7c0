# machine.sh MANAGER [LLVM]: what `install build test` does on a machine that has one package
# manager, nothing installed and clang of version LLVM. Commands of the manager are printed.
# With NO_SUDO the user has no rights.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
root=$1 manager=$2 llvm=${3:-22.1.0}
for command in bash sh cat cut date dirname env fold grep head id mkdir mktemp printf rm sed tail tr; do
  ln -s "$(command -v "$command")" "$folder/$command"
done
stub() { printf '#!/bin/sh\n%s\n' "$2" >"$folder/$1" && chmod +x "$folder/$1"; }
log=$folder/log
: >"$log"
# The output of a step is shown only where it fails, so that commands go to a log.
if [ "$manager" != none ]; then
  stub "$manager" "echo \"$manager \$*\" >>$log
case \$1 in --prefix) echo $folder/llvm ;; list | -Qq) exit 1 ;; esac"
fi
stub dpkg-query 'exit 1'
stub apt-cache "echo '  Candidate: ${APT_CANDIDATE:-1:22.1.8}'"
stub rpm 'exit 1'
[ -n "${NO_SUDO:-}" ] || stub sudo "while [ \$# -gt 0 ]; do case \$1 in env | *=*) shift ;; *) break ;; esac; done
case \$1 in sh) echo \"sh -c\" >>$log ;; *) \"\$@\" ;; esac"
# Root or not, the stub of sudo is asked.
rm "$folder/id" && stub id 'echo 1000'
mkdir -p "$folder/llvm/bin"
stub llvm/bin/llvm-config "echo $llvm"
stub llvm-config "case \$1 in --prefix) echo $folder/llvm ;; *) echo $llvm ;; esac"
PATH=$folder bash -c "set -- ; source $root/scripts/common.sh; install build test; check_llvm" ||
  echo "exit $?"
cat "$log"
