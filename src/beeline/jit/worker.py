"""Compiles one file of C: `python -I -S worker.py TARGET COMPILER FLAG..`, with the source and a zero byte on input.

The input stays open while someone waits for the result. When it ends, because the search ended or was killed, the
compiler is stopped and nothing is left behind. The digest of the result is put behind it.
"""

import hashlib
import os
import select
import shutil
import signal
import subprocess
import sys
import tempfile


def main(target: str, command: list[str]) -> int:
    """The exit status: 0 if the target is there."""
    source = bytearray()
    while not source.endswith(b"\0"):
        piece = os.read(0, 1 << 16)
        if not piece:
            return 1
        source += piece
    folder = tempfile.mkdtemp(prefix="work-", dir=os.path.dirname(target))
    try:
        return compiled(folder, bytes(source[:-1]), target, command)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def compiled(folder: str, source: bytes, target: str, command: list[str]) -> int:
    """Compiles in the folder, where the compiler has its own temporary files as well."""
    code, made = os.path.join(folder, "model.c"), os.path.join(folder, "model.so")
    with open(code, "wb") as file:
        file.write(source)
    words = [*command, "-o", made, code]
    compiler = subprocess.Popen(words, env={**os.environ, "TMPDIR": folder}, start_new_session=True)
    while compiler.poll() is None:
        if select.select([0], [], [], 0.02)[0] and not os.read(0, 1):
            os.killpg(compiler.pid, signal.SIGKILL)
            compiler.wait()
            return 1
    if compiler.returncode != 0:
        return 1
    with open(made, "rb") as file:
        digest = hashlib.sha256(file.read()).digest()
    with open(made, "ab") as file:
        file.write(digest)
    os.replace(made, target)
    return 0


if __name__ == "__main__":
    os.umask(0o077)
    sys.exit(main(sys.argv[1], sys.argv[2:]))
