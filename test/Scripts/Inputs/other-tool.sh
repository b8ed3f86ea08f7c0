#!/bin/sh
echo "usage: nothing"
