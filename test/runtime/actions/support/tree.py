"""A server's process tree: eight workers (two call setsid, one ignores TERM) and one that double-forks.

tree.py FOLDER: each process writes its pid into a file of FOLDER, `root` last of all.
"""
import os
import signal
import sys
import time

folder = sys.argv[1]


def stay(name):
    with open(os.path.join(folder, name + ".new"), "w") as file:
        file.write(str(os.getpid()))
    os.rename(os.path.join(folder, name + ".new"), os.path.join(folder, name))
    while True:
        time.sleep(60)


def wait_for(names):
    while not all(os.path.exists(os.path.join(folder, name)) for name in names):
        time.sleep(0.01)


for number in range(8):
    if os.fork() == 0:
        if number in (0, 1):
            os.setsid()
        if number == 2:
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
        stay("worker%d" % number)

middle = os.fork()
if middle == 0:
    os.setsid()
    if os.fork() == 0:
        null = os.open(os.devnull, os.O_RDWR)
        for fd in (0, 1, 2):
            os.dup2(null, fd)
        stay("daemon")
    os._exit(0)
os.waitpid(middle, 0)
wait_for(["worker%d" % number for number in range(8)] + ["daemon"])
stay("root")
