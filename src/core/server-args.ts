type ServerArgs = Readonly<Record<string, unknown>> | null;

/** What the model is called by a server's printed arguments, without its folder; null where they do not say. */
export function modelName(args: ServerArgs): string | null {
  const served = args?.served_model_name;
  const name =
    (Array.isArray(served) ? served[0] : served) ?? args?.model_path ?? args?.model ?? args?.model_tag;
  return typeof name === 'string' && name !== '' ? (name.split('/').filter(Boolean).at(-1) ?? null) : null;
}

/** Folder, file or repository of the model as the server was given it; null where its arguments do not say. */
export function modelPath(args: ServerArgs): string | null {
  const path = args?.model_path ?? args?.model ?? args?.model_tag;
  return typeof path === 'string' && path !== '' ? path : null;
}

/** GPUs over which one copy of the model is spread, as SGLang and vLLM name it; null where they do not say. */
export function tensorParallelSize(args: ServerArgs): number | null {
  const size = args?.tp_size ?? args?.tensor_parallel_size ?? args?.tp;
  return typeof size === 'number' ? size : null;
}

/** Share of each GPU's memory that SGLang or vLLM was told to take for weights and KV cache; null where they do not say. */
export function memoryFraction(args: ServerArgs): number | null {
  const share = args?.mem_fraction_static ?? args?.gpu_memory_utilization;
  return typeof share === 'number' && share > 0 && share <= 1 ? share : null;
}

/**
 * Whether this argument differs from run to run without anybody changing it: ports that a server picks itself,
 * seeds, addresses with such a port, and names made of a pid or of random.
 */
export function differsEachRun(name: string): boolean {
  return eachRun.test(name);
}

const eachRun =
  /(?:^|_)(?:seed|nccl_port|rpc_port|ipc_name|ipc_path|instance_id|launch_id|engine_id|uuid|run_id|session_id)$|^(?:dist_init_addr|dist_init_method|distributed_init_method|data_parallel_rpc_port|port|api_server_pid|_api_process_rank|disaggregation_bootstrap_port)$/;
