"""The process of a job takes no more memory than it may, and says so when that is not enough."""

import subprocess
import sys
import time

from celosia.server.process import Process, _lost
from celosia.server.settings import Settings

TAKES = """
import sys
from celosia.machine import free_memory, limit_memory
limit_memory(int(sys.argv[1]))
print(free_memory() <= int(sys.argv[1]), flush=True)
import numpy
try:
    numpy.ones(1 << 27)
except MemoryError:
    print("memory is short")
"""


def takes(most):
    run = subprocess.run([sys.executable, "-c", TAKES, str(most)], capture_output=True, text=True, check=True)
    return run.stdout.split("\n")[:-1]


def test_a_process_takes_no_more_than_it_may():
    assert takes(1 << 29) == ["True", "memory is short"]
    assert takes(8 << 30) == ["True"]


def test_the_process_of_a_job_is_limited_as_the_service_says(tmp_path):
    memory = Settings(tmp_path, job_memory=3 << 30).memory_of_job
    process = Process(memory)
    try:
        for _ in range(200):
            with open(f"/proc/{process._child.pid}/limits") as file:
                limits = next(line for line in file if line.startswith("Max data size")).split()
            if limits[3] != "unlimited":
                break
            time.sleep(0.05)
        assert limits[3:5] == [str(3 << 30)] * 2
    finally:
        process.dismiss()


def test_a_job_that_needed_more_is_told_so():
    assert _lost(-6, 1 << 30)["what"] == "the job needed more memory than the 1,024 MB that it may take"
