# SPDX-License-Identifier: Apache-2.0
"""For Spack: 'spack repo add packaging/spack', then 'spack install netbench'. It builds the repository that it lies in."""
import os

from spack.package import *


class Netbench(MesonPackage):
    """Network benchmark: latency, message rate, bandwidth, b_eff and the communication benchmarks of ATLAS DAQ note 48,
    beside what models and a simulated network predict."""

    git = "file://" + os.path.abspath(os.path.join(os.path.dirname(__file__), *[os.pardir] * 4))

    license("Apache-2.0")

    version("main", branch="main")

    variant("csv", default=False, description="Results in CSV are read, by libcsv of the system")
    variant("fpga", default=False, description="Backend for FPGA cards, by OpenCL")
    variant("mpi", default=True, description="Backend and job for MPI: Open MPI, MPICH or a kin of it")
    variant("munge", default=False, description="Secrets of Slurm steps from munge")
    variant("ofi", default=False, description="Backend for networks by libfabric")
    variant("sqlite", default=True, description="Databases of results")
    variant("verbs", default=False, description="Backend for RDMA devices, by libibverbs")

    depends_on("c", type="build")
    depends_on("meson@0.61:", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("hwloc@2:")
    depends_on("jansson")
    depends_on("libsodium")
    depends_on("munge", when="+munge")
    depends_on("opencl-c-headers", when="+fpga")
    depends_on("libfabric@1.11:", when="+ofi")
    depends_on("mpi", when="+mpi")
    depends_on("sqlite", when="+sqlite")
    depends_on("rdma-core", when="+verbs")

    conflicts("platform=darwin", msg="netbench needs Linux")

    def meson_args(self):
        features = ["csv", "fpga", "mpi", "munge", "ofi", "sqlite", "verbs"]
        return ["-Dauto_features=disabled"] + [
            f"-D{name}={'enabled' if self.spec.satisfies('+' + name) else 'disabled'}" for name in features
        ]
