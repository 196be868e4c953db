/** The arguments that the simulation acts on; the line in the log shows all of `serverFields`. */
export interface ServerArgs {
  readonly model_path: string;
  readonly host: string;
  readonly port: number;
  readonly tp_size: number;
  readonly served_model_name: string;
  readonly context_length: number | null;
  readonly mem_fraction_static: number;
  readonly max_running_requests: number | null;
  readonly chunked_prefill_size: number;
  readonly max_prefill_tokens: number;
  readonly speculative_algorithm: string | null;
  readonly speculative_draft_model_path: string | null;
  readonly cuda_graph_max_bs: number;
  readonly disable_cuda_graph: boolean;
  readonly disable_custom_all_reduce: boolean;
  readonly skip_server_warmup: boolean;
  readonly weight_loader_disable_mmap: boolean;
}

type Field = readonly [
  name: string,
  kind: 'str' | 'int' | 'float' | 'flag',
  fallback: string | number | boolean | null,
];

/** Fields of `ServerArgs` in the order of SGLang 0.5.9; a good part of its three hundred. */
export const serverFields: readonly Field[] = [
  ['model_path', 'str', null],
  ['tokenizer_path', 'str', null],
  ['tokenizer_mode', 'str', 'auto'],
  ['tokenizer_worker_num', 'int', 1],
  ['skip_tokenizer_init', 'flag', false],
  ['load_format', 'str', 'auto'],
  ['model_loader_extra_config', 'str', '{}'],
  ['trust_remote_code', 'flag', false],
  ['context_length', 'int', null],
  ['is_embedding', 'flag', false],
  ['enable_multimodal', 'flag', null],
  ['revision', 'str', null],
  ['model_impl', 'str', 'auto'],
  ['host', 'str', '127.0.0.1'],
  ['port', 'int', 30000],
  ['grpc_mode', 'flag', false],
  ['skip_server_warmup', 'flag', false],
  ['warmups', 'str', null],
  ['nccl_port', 'int', null],
  ['dtype', 'str', 'auto'],
  ['quantization', 'str', null],
  ['kv_cache_dtype', 'str', 'auto'],
  ['mem_fraction_static', 'float', 0.85],
  ['max_running_requests', 'int', null],
  ['max_queued_requests', 'int', null],
  ['max_total_tokens', 'int', null],
  ['chunked_prefill_size', 'int', 8192],
  ['max_prefill_tokens', 'int', 16384],
  ['schedule_policy', 'str', 'fcfs'],
  ['abort_on_priority_when_disabled', 'flag', false],
  ['schedule_conservativeness', 'float', 1],
  ['page_size', 'int', 1],
  ['swa_full_tokens_ratio', 'float', 0.8],
  ['device', 'str', 'cuda'],
  ['tp_size', 'int', 1],
  ['pp_size', 'int', 1],
  ['stream_interval', 'int', 1],
  ['random_seed', 'int', 481516234],
  ['watchdog_timeout', 'float', 300],
  ['soft_watchdog_timeout', 'float', null],
  ['dist_timeout', 'int', null],
  ['download_dir', 'str', null],
  ['base_gpu_id', 'int', 0],
  ['gpu_id_step', 'int', 1],
  ['log_level', 'str', 'info'],
  ['log_level_http', 'str', null],
  ['log_requests', 'flag', false],
  ['crash_dump_folder', 'str', null],
  ['enable_metrics', 'flag', false],
  ['decode_log_interval', 'int', 40],
  ['api_key', 'str', null],
  ['served_model_name', 'str', null],
  ['weight_version', 'str', 'default'],
  ['chat_template', 'str', null],
  ['reasoning_parser', 'str', null],
  ['tool_call_parser', 'str', null],
  ['dp_size', 'int', 1],
  ['load_balance_method', 'str', 'auto'],
  ['dist_init_addr', 'str', null],
  ['nnodes', 'int', 1],
  ['node_rank', 'int', 0],
  ['json_model_override_args', 'str', '{}'],
  ['attention_backend', 'str', 'fa3'],
  ['sampling_backend', 'str', 'flashinfer'],
  ['grammar_backend', 'str', 'xgrammar'],
  ['speculative_algorithm', 'str', null],
  ['speculative_draft_model_path', 'str', null],
  ['speculative_draft_model_revision', 'str', null],
  ['speculative_num_steps', 'int', null],
  ['speculative_eagle_topk', 'int', null],
  ['speculative_num_draft_tokens', 'int', null],
  ['ep_size', 'int', 1],
  ['moe_a2a_backend', 'str', 'none'],
  ['moe_runner_backend', 'str', 'auto'],
  ['disable_radix_cache', 'flag', false],
  ['cuda_graph_max_bs', 'int', 160],
  ['disable_cuda_graph', 'flag', false],
  ['disable_custom_all_reduce', 'flag', false],
  ['enable_dp_attention', 'flag', false],
  ['enable_torch_compile', 'flag', false],
  ['enable_piecewise_cuda_graph', 'flag', false],
  ['enable_memory_saver', 'flag', false],
  ['weight_loader_disable_mmap', 'flag', false],
  ['disaggregation_mode', 'str', 'null'],
  ['debug_tensor_dump_output_folder', 'str', null],
];
