/**
 * Programs of a server, by the names that the kernel knows them by (15 bytes; `VLLM::EngineCor`, `sglang::schedul`), and
 * those that it compiles kernels with. A machine's log tells of others' ends as well.
 */
const ours =
  'python|pypy|pt_main|sglang|vllm|VLLM|ray|llama|ollama|text-gen|trtllm|triton|lmdeploy|mpi|orted|ninja|nvcc|cicc|ptxas|cc1plus';

/**
 * The kernel's words for a process of a server that it killed for want of memory: of the machine, or of a cgroup (`Memory
 * cgroup out of memory: …`, mm/oom_kill.c; `Kill process` before Linux 4.20).
 */
export const kernelKill = String.raw`[Oo]ut of memory: Kill(?:ed)? process \d+ \((?:${ours})|oom-kill:\S*\btask=(?:${ours})`;
