# SPDX-License-Identifier: Apache-2.0
"""A ReFrame test: compares three runs with the history in directory HISTORY, to which nightly.sh adds the nights."""
import reframe as rfm
import reframe.utility.sanity as sn


@rfm.simple_test
class NetbenchNight(rfm.RunOnlyRegressionTest):
    valid_systems = ["*"]
    valid_prog_environs = ["*"]
    num_tasks = 2
    num_tasks_per_node = 1
    executable = "netbench"
    executable_opts = ["latency", "-b", "mpi", "--sizes", "8,64k", "-q", "-o", "1.json"]
    postrun_cmds = ["netbench history gate $HISTORY [123].json; echo status $?"]

    @run_before("run")
    def two_more_runs(self):
        line = " ".join([self.job.launcher.run_command(self.job), self.executable, *self.executable_opts])
        self.postrun_cmds = [line.replace("1.json", f"{k}.json") for k in (2, 3)] + self.postrun_cmds

    @sanity_function
    def is_not_slower(self):
        return sn.assert_found(r"^status 0$", self.stdout)
