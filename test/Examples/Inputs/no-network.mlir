%0 = nothing
