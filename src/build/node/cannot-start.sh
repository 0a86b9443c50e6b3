# Where the Node that npm has installed cannot start, it cannot say what to do either. Fails, as the step before it did.
said=$(node --version 2>&1) || case $said in
  *libatomic*)
    echo 'edgescope: its Node needs libatomic, which this Linux lacks. Run apt-get install libatomic1, or dnf install libatomic; then npm ci again.' >&2
    ;;
  *) echo "edgescope: its Node cannot start here: $said" >&2 ;;
esac
exit 1
