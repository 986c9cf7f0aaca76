# SPDX-License-Identifier: Apache-2.0
"""A task under srun --mpi=pmix: prints how long it waited in a fence into which task 1 came a second late."""
import ctypes
import os
import time

late = 1.0
me = (ctypes.c_char * 512)()        # a pmix_proc_t and more
pmix = ctypes.CDLL("libpmix.so.2")
if status := pmix.PMIx_Init(me, None, ctypes.c_size_t(0)):
    raise SystemExit(f"PMIx_Init: {status}")
if os.environ["PMIX_RANK"] == "1":
    time.sleep(late)
start = time.monotonic()
if status := pmix.PMIx_Fence(None, ctypes.c_size_t(0), None, ctypes.c_size_t(0)):
    raise SystemExit(f"PMIx_Fence: {status}")
print(os.environ["PMIX_RANK"], round(time.monotonic() - start, 3), flush=True)
pmix.PMIx_Finalize(None, ctypes.c_size_t(0))
