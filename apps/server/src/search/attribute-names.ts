/**
 * Names of attributes that mean the same, today's name first, and the type of their values: of @sentry/conventions
 * 0.33.0 (MIT).
 *
 * Written by tools/attribute-names.mjs; do not edit.
 */
export const ATTRIBUTE_NAMES = `
list ai.citations
list ai.documents
boolean ai.is_search_required
string ai.metadata
boolean ai.raw_prompting
string ai.response.object
string ai.response.timestamp
string ai.response_format
string ai.schema
list ai.search_queries
list ai.search_results
string ai.tags
string ai.values
list ai.warnings
string angular.version
string app.build app.app_build
string app.identifier app.app_identifier
boolean app.in_foreground
string app.name app.app_name
string app.start_time app.app_start_time
string app.version app.app_version
integer app.vitals.frames.delay.value frames.delay mobile.frames_delay
integer app.vitals.frames.frozen.count frames.frozen mobile.frozen_frames sentry.frames.frozen
number app.vitals.frames.frozen.rate frames_frozen_rate
integer app.vitals.frames.slow.count frames.slow mobile.slow_frames sentry.frames.slow
number app.vitals.frames.slow.rate frames_slow_rate
integer app.vitals.frames.total.count frames.total mobile.total_frames sentry.frames.total
number app.vitals.stall.duration stall_total_time
number app.vitals.stall.percentage stall_percentage
number app.vitals.start.cold.value app_start_cold
boolean app.vitals.start.prewarmed
string app.vitals.start.reason
string app.vitals.start.screen
string app.vitals.start.type app_start_type
number app.vitals.start.warm.value app_start_warm
number app.vitals.ttfd.value time_to_full_display
number app.vitals.ttid.value time_to_initial_display
integer art.gc.blocking_count
number art.gc.blocking_time
integer art.gc.pre_oome_count
integer art.gc.total_count
number art.gc.total_time
number art.gc.waiting_time
integer art.memory.free
integer art.memory.free_until_gc
integer art.memory.free_until_oome
integer art.memory.max
integer art.memory.total
string aws.cloudwatch.logs.log_group
string aws.cloudwatch.logs.log_stream
string aws.cloudwatch.logs.url
list aws.dynamodb.attribute_definitions
list aws.dynamodb.attributes_to_get
boolean aws.dynamodb.consistent_read
list aws.dynamodb.consumed_capacity
integer aws.dynamodb.count
string aws.dynamodb.exclusive_start_table
list aws.dynamodb.global_secondary_index_updates
list aws.dynamodb.global_secondary_indexes
string aws.dynamodb.index_name
string aws.dynamodb.item_collection_metrics
integer aws.dynamodb.limit
list aws.dynamodb.local_secondary_indexes
string aws.dynamodb.projection
number aws.dynamodb.provisioned_read_capacity
number aws.dynamodb.provisioned_write_capacity
boolean aws.dynamodb.scan_forward
integer aws.dynamodb.scanned_count
integer aws.dynamodb.segment
string aws.dynamodb.select
integer aws.dynamodb.table_count
list aws.dynamodb.table_names
integer aws.dynamodb.total_segments
string aws.extended_request_id aws.request.extended_id
string aws.kinesis.stream_name aws.kinesis.stream.name
number aws.lambda.execution_duration_in_millis
string aws.lambda.initialization_type
string aws.lambda.invoked_arn aws.lambda.invoked_function_arn
number aws.lambda.remaining_time_in_millis
string aws.lambda.resource_mapping.id
string aws.lambda.target_function.name
string aws.lambda.web.endpoint_name
list aws.log.group.names
list aws.log.stream.names
string aws.request_id aws.request.id
string aws.s3.bucket
string aws.s3.copy_source
string aws.s3.delete
string aws.s3.key
integer aws.s3.part_number
string aws.s3.upload_id
string aws.secretsmanager.secret.arn
string aws.secretsmanager.secret.name
string aws.sns.topic.arn
string aws.sqs.queue.url
string aws.step_functions.activity.arn
string aws.step_functions.activity.name
string aws.step_functions.execution.arn
string aws.step_functions.state_machine.arn
string aws.step_functions.state_machine.name
boolean blocked_main_thread
string browser.bfcache.frame
integer browser.bfcache.not_restored_reason_count
string browser.bfcache.outcome
string browser.bfcache.reason
string browser.name sentry.browser.name
integer browser.navigation.id
string browser.navigation.type
string browser.paint.type
number browser.performance.navigation.activation_start performance.activationStart
number browser.performance.time_origin performance.timeOrigin
string browser.report.type
string browser.script.invoker
string browser.script.invoker_type
integer browser.script.source_char_position
string browser.version sentry.browser.version
string browser.web_vital.cls.report_event
number browser.web_vital.cls.value cls
number browser.web_vital.fcp.value fcp
number browser.web_vital.fp.value fp
number browser.web_vital.inp.input_delay
string browser.web_vital.inp.interaction_type
number browser.web_vital.inp.presentation_delay
number browser.web_vital.inp.processing_duration
string browser.web_vital.inp.target
number browser.web_vital.inp.value inp
string browser.web_vital.lcp.element lcp.element
number browser.web_vital.lcp.element_render_delay
string browser.web_vital.lcp.id lcp.id
integer browser.web_vital.lcp.load_time lcp.loadTime
integer browser.web_vital.lcp.render_time lcp.renderTime
string browser.web_vital.lcp.report_event
number browser.web_vital.lcp.resource_load_delay
number browser.web_vital.lcp.resource_load_duration
integer browser.web_vital.lcp.size lcp.size
string browser.web_vital.lcp.url lcp.url
number browser.web_vital.lcp.value lcp
number browser.web_vital.ttfb.request_time ttfb.requestTime
number browser.web_vital.ttfb.value ttfb
boolean cache.hit
integer cache.item_age
integer cache.item_size
list cache.key
string cache.operation
list cache.tags
integer cache.ttl
boolean cache.write
string channel
string client.address http.client_ip
integer client.port
string cloud.account.id
string cloud.availability_zone
string cloud.platform
string cloud.provider
string cloud.region aws_region gcp_region
string cloud.resource_id faas.id
integer cloudflare.d1.duration
integer cloudflare.d1.rows_read
integer cloudflare.d1.rows_written
integer cloudflare.durable_object.query.bindings
integer cloudflare.durable_object.response.rows_read
integer cloudflare.durable_object.response.rows_written
string cloudflare.r2.bucket
string cloudflare.r2.operation
string cloudflare.r2.request.delimiter
string cloudflare.r2.request.key
integer cloudflare.r2.request.part_number
string cloudflare.r2.request.prefix
integer cloudflare.workflow.attempt
string cloudflare.workflow.retries.backoff
string cloudflare.workflow.retries.delay
integer cloudflare.workflow.retries.limit
string cloudflare.workflow.timeout
string code.file.path sveltekit.load.node_id code.filepath
string code.function code.function.name django.function_name
integer code.line.number code.lineno
string code.namespace
string culture.calendar
string culture.display_name
boolean culture.is_24_hour_format
string culture.locale
string culture.timezone
string db.collection.name db.mongodb.collection
string db.connection_string
string db.driver.name
string db.namespace db.name
integer db.operation.batch.size
string db.operation.name cloudflare.d1.query_type db.operation redis.command
string db.query.summary
string db.query.text db.statement query
string db.redis.connection
string db.redis.key redis.key
list db.redis.parameters
string db.response.status_code
string db.stored_procedure.name
string db.system.name db.system span.system
string db.user
list device.archs
number device.battery_level
number device.battery_temperature
string device.boot_time
string device.brand
boolean device.charging
string device.chipset
string device.class
string device.cpu_description
integer device.external_free_storage
integer device.external_storage_size
string device.family
integer device.free_memory
integer device.free_storage
string device.id
string device.locale
boolean device.low_memory
boolean device.low_power_mode
string device.manufacturer
integer device.memory.estimated_capacity deviceMemory
integer device.memory_size
string device.model
string device.model_id
string device.name
boolean device.online
string device.orientation
integer device.processor_count hardwareConcurrency
number device.processor_frequency
number device.screen_density
integer device.screen_dpi
integer device.screen_height_pixels
integer device.screen_width_pixels
boolean device.simulator
integer device.storage_size
string device.thermal_state
string device.timezone
integer device.usable_memory
string error.type
integer event.id
string event.name
boolean exception.escaped
string exception.message
string exception.stacktrace
string exception.type
boolean faas.coldstart
string faas.cron
string faas.document.collection
string faas.document.name
string faas.document.operation
string faas.document.time
integer faas.duration_in_ms
string faas.entry_point
string faas.identity
string faas.instance
string faas.invocation_id aws.lambda.aws_request_id faas.execution
string faas.invoked_name
string faas.invoked_provider
string faas.invoked_region
integer faas.max_memory
string faas.name aws.lambda.function_name
string faas.time
string faas.trigger
string faas.version aws.lambda.function_version
string file.path
integer file.size
string gcp.function.context.event_id
string gcp.function.context.event_type
string gcp.function.context.id
string gcp.function.context.resource
string gcp.function.context.source
string gcp.function.context.specversion
string gcp.function.context.time
string gcp.function.context.timestamp
string gcp.function.context.type
string gcp.project.id
string gen_ai.agent.name
number gen_ai.context.utilization
integer gen_ai.context.window_size
string gen_ai.conversation.id
number gen_ai.cost.cache_creation.input_tokens
number gen_ai.cost.cache_read.input_tokens
number gen_ai.cost.input_tokens
number gen_ai.cost.output_tokens
number gen_ai.cost.reasoning.output_tokens
number gen_ai.cost.total_tokens ai.total_cost
string gen_ai.embeddings.input
string gen_ai.function_id
string gen_ai.input.messages ai.input_messages ai.prompt ai.prompt.messages ai.texts gen_ai.prompt
string gen_ai.memory.query.text
integer gen_ai.memory.record.count
string gen_ai.memory.record.id
string gen_ai.memory.records
string gen_ai.memory.store.id
string gen_ai.operation.name
string gen_ai.operation.type
string gen_ai.output.messages ai.response.text ai.response.toolCalls ai.responses ai.tool_calls
string gen_ai.pipeline.name ai.pipeline.name langchain.chain.name
string gen_ai.prompt.name mcp.prompt.name
string gen_ai.provider.name ai.model.provider gen_ai.system
number gen_ai.request.frequency_penalty ai.frequency_penalty
integer gen_ai.request.max_tokens
string gen_ai.request.model ai.model.id ai.model_id
number gen_ai.request.presence_penalty ai.presence_penalty
string gen_ai.request.reasoning.level
string gen_ai.request.schema
string gen_ai.request.seed ai.seed
list gen_ai.request.stop_sequences
number gen_ai.request.temperature ai.temperature
integer gen_ai.request.top_k ai.top_k
number gen_ai.request.top_p ai.top_p
string gen_ai.response.finish_reasons ai.finish_reason gen_ai.response.finish_reason
string gen_ai.response.id ai.generation_id ai.response.id
string gen_ai.response.model ai.response.model
string gen_ai.response.object
boolean gen_ai.response.streaming ai.streaming
number gen_ai.response.time_to_first_chunk gen_ai.response.time_to_first_token
number gen_ai.response.tokens_per_second
string gen_ai.system_instructions ai.preamble gen_ai.system.message
string gen_ai.tool.call.arguments ai.toolCall.args gen_ai.tool.input
string gen_ai.tool.call.result ai.toolCall.result anthropic.tool_result.content gen_ai.tool.message gen_ai.tool.output mcp.tool.result.content
integer gen_ai.tool.call.result.size
string gen_ai.tool.definitions ai.prompt.tools ai.tools gen_ai.request.available_tools
string gen_ai.tool.description
string gen_ai.tool.name ai.function_call mcp.tool.name
string gen_ai.tool.type
integer gen_ai.usage.cache_creation.input_tokens gen_ai.usage.cache_creation_input_tokens gen_ai.usage.input_tokens.cache_write
integer gen_ai.usage.cache_read.input_tokens gen_ai.usage.cache_read_input_tokens gen_ai.usage.input_tokens.cached
integer gen_ai.usage.input_tokens ai.prompt_tokens.used gen_ai.usage.prompt_tokens
integer gen_ai.usage.output_tokens ai.completion_tokens.used gen_ai.usage.completion_tokens
integer gen_ai.usage.reasoning.output_tokens gen_ai.usage.output_tokens.reasoning
integer gen_ai.usage.total_tokens ai.total_tokens.used ai.usage.tokens
string graphql.document graphql.source
string graphql.operation.name
string graphql.operation.type
string graphql.processing.type
list grpc.error.bad_request.field_violations
string grpc.error.debug_info.detail
list grpc.error.debug_info.stack_entries
string grpc.error.error_info.domain
string grpc.error.error_info.reason
list grpc.error.precondition_failure.violations
list grpc.error.quota_failure.violations
string grpc.error.resource_info.description
string grpc.error.resource_info.owner
string grpc.error.resource_info.resource_name
string grpc.error.resource_info.resource_type
integer grpc.error.retry_info.retry_delay_ms
string hapi.ext.type server.ext.type
string hapi.plugin.name
string hapi.type
string heroku.dyno.name
string heroku.error.code
string heroku.error.description
string heroku.logplex.drain_token
number heroku.router.connect
string heroku.router.request_id
number heroku.router.service
string http.fragment
string http.query
string http.request.body.data
integer http.request.body.decoded_size http.request_content_length_uncompressed
integer http.request.body.size http.request_content_length
number http.request.connect_start
number http.request.connection_end
number http.request.domain_lookup_end
number http.request.domain_lookup_start
integer http.request.duration
number http.request.fetch_start
string http.request.method http.method http.request_method method
number http.request.redirect_end
number http.request.redirect_start
number http.request.request_start
integer http.request.resend_count
number http.request.response_end
number http.request.response_start
boolean http.request.same_origin url.same_origin
number http.request.secure_connection_start
number http.request.time_to_first_byte
number http.request.worker_start
integer http.response.body.decoded_size http.decoded_response_content_length http.response_content_length_uncompressed
integer http.response.body.size http.response.header.content-length http.response_content_length
integer http.response.size http.response_transfer_size
integer http.response.status_code http.response_status_code http.status_code
string http.response.status_text http.status_text
string http.route
number http.server.request.time_in_queue
string http.target
string id
string integrity.blocked_url
string integrity.destination
string integrity.document_url
boolean integrity.report_only
string jsonrpc.protocol.version
string jsonrpc.request.id mcp.request.id
string jvm.gc.action
string jvm.gc.name
string jvm.memory.pool.name
string jvm.memory.type
boolean jvm.thread.daemon
string jvm.thread.state
string koa.name
string koa.type
string logger.name
string mcp.auth.client.name
string mcp.cancelled.reason
string mcp.cancelled.request_id
string mcp.client.name
string mcp.client.title
string mcp.client.version
string mcp.lifecycle.phase
string mcp.logging.data_type
string mcp.logging.level
string mcp.logging.logger
string mcp.logging.message
string mcp.method.name
number mcp.progress.current
string mcp.progress.message
number mcp.progress.percentage
string mcp.progress.token
number mcp.progress.total
string mcp.prompt.result.description
string mcp.prompt.result.message_content
integer mcp.prompt.result.message_count
string mcp.prompt.result.message_role
integer mcp.protocol.ready
string mcp.protocol.version
string mcp.request.argument.name
string mcp.request.argument.uri
string mcp.resource.protocol
string mcp.resource.uri
string mcp.server.name
string mcp.server.title
string mcp.server.version
string mcp.session.id
integer mcp.tool.result.content_count
string mcp.tool.result.content_type
integer mcp.tool.result.data_size
string mcp.tool.result.mime_type
string mcp.tool.result.name
string mcp.tool.result.resource_mime_type
string mcp.tool.result.resource_uri
string mcp.tool.result.uri
string mcp.transport
integer messaging.batch.message_count
string messaging.bullmq.flow.name
integer messaging.bullmq.job.attempt_finished_timestamp
list messaging.bullmq.job.bulk.names
string messaging.bullmq.job.deduplication.key
list messaging.bullmq.job.ids
string messaging.bullmq.job.key
string messaging.bullmq.job.name
integer messaging.bullmq.job.processed_timestamp
string messaging.bullmq.job.scheduler.id
string messaging.bullmq.job.state
string messaging.bullmq.job.type
integer messaging.bullmq.queue.clean.count
integer messaging.bullmq.queue.clean.limit
boolean messaging.bullmq.queue.drain.delay
integer messaging.bullmq.queue.event.max_length
integer messaging.bullmq.queue.grace
string messaging.bullmq.queue.jobs.state
integer messaging.bullmq.queue.rate_limit
boolean messaging.bullmq.worker.do_not_wait_active
boolean messaging.bullmq.worker.force_close
list messaging.bullmq.worker.jobs_to_extend_locks
string messaging.bullmq.worker.name
integer messaging.bullmq.worker.rate_limit
list messaging.bullmq.worker.stalled_jobs
string messaging.client.id
string messaging.destination.connection
string messaging.destination.name messaging.destination
string messaging.destination.partition.id
string messaging.destination_kind
string messaging.kafka.message.key
boolean messaging.kafka.message.tombstone
integer messaging.kafka.offset
integer messaging.message.body.size
string messaging.message.conversation_id messaging.conversation_id
integer messaging.message.envelope.size
string messaging.message.id messaging.message_id
integer messaging.message.receive.latency
integer messaging.message.retry.count
string messaging.operation.name messaging.operation
string messaging.operation.type
string messaging.rabbitmq.destination.routing_key messaging.rabbitmq.routing_key
string messaging.system
string middleware.name django.middleware_name litestar.middleware_name starlette.middleware_name starlite.middleware_name
integer nel.elapsed_time
string nel.phase
string nel.referrer
number nel.sampling_fraction nel.sampling_function
string nel.type
string net.sock.peer.name
string network.connection.effective_type effectiveConnectionType
integer network.connection.rtt connection.rtt
string network.connection.type connectionType device.connection_type
string network.local.address net.host.ip net.sock.host.addr
integer network.local.port net.sock.host.port
string network.peer.address net.peer.ip net.sock.peer.addr
integer network.peer.port net.sock.peer.port
string network.protocol.name messaging.protocol net.protocol.name
string network.protocol.version http.flavor messaging.protocol_version net.protocol.version
string network.transport
string network.type
string os.build_id os.build
string os.description
string os.kernel_version
string os.name
string os.raw_description
boolean os.rooted
string os.theme
string os.type
string os.version
string otel.scope.name
string otel.scope.version
string otel.status_code
string otel.status_description
string page.server_rendering.type
string previous_route
list process.command_args
string process.executable.name
integer process.pid subprocess.pid
string process.runtime.description runtime.raw_description
string process.runtime.engine.name
string process.runtime.engine.version
string process.runtime.name runtime.name
string process.runtime.version runtime.version
string react.version
string react_native.architecture turbo_module.arch
integer react_native.module.call.count turbo_module.total_call_count turbo_modules.total_call_count
integer react_native.module.call.distinct_count turbo_module.unique_methods turbo_modules.unique_methods
number react_native.module.duration.max
number react_native.module.duration.total turbo_module.total_duration_ms turbo_modules.total_duration_ms
integer react_native.module.error.count turbo_module.total_error_count turbo_modules.total_error_count
string react_native.module.kind
string react_native.module.method turbo_module.method
string react_native.module.name turbo_module.name
number react_native.module.top.duration turbo_module.top_module_duration_ms
string react_native.module.top.name turbo_module.top_module
string resource.render_blocking_status
string router.navigation.origin navigation.origin sentry.sveltekit.navigation.from
string router.navigation.route.id navigation.route.id
string router.navigation.type navigation.type sentry.sveltekit.navigation.type
string rpc.method aws.operation_name
string rpc.response.status_code code
string rpc.service
string rpc.system.name rpc.system
string runtime.build
number score.total
string sentry.action span.action
string sentry.cancellation_reason
string sentry.category span.category
number sentry.client_sample_rate client_sample_rate
string sentry.description
string sentry.dist dist
string sentry.domain span.domain
string sentry.dsc.environment
string sentry.dsc.project_id
string sentry.dsc.public_key
string sentry.dsc.release
string sentry.dsc.sample_rate
boolean sentry.dsc.sampled
string sentry.dsc.trace_id
string sentry.dsc.transaction
string sentry.environment environment resource.deployment.environment resource.deployment.environment.name
string sentry.event.serialized_breadcrumbs
string sentry.event.serialized_contexts
string sentry.event.serialized_extra
string sentry.event.serialized_meta
number sentry.exclusive_time
string sentry.graphql.operation
string sentry.group span.group
boolean sentry.http.prefetch
string sentry.idle_span_finish_reason
boolean sentry.is_localhost
boolean sentry.is_remote
string sentry.kind span.kind otel.kind
string sentry.link.type link.type
boolean sentry.main_thread
string sentry.message.template
string sentry.metric.source
boolean sentry.mobile
string sentry.nextjs.ssr.function.route
string sentry.nextjs.ssr.function.type
string sentry.normalized_db_query
string sentry.normalized_db_query.hash
string sentry.normalized_description
string sentry.observed_timestamp_nanos
string sentry.op span.op
string sentry.origin origin
string sentry.pageload.span_id
string sentry.platform platform
string sentry.profile_id profile.id profile_id
string sentry.profiler_id profiler.id
string sentry.relay.ingress
string sentry.relay.pipeline
string sentry.release release service.version
string sentry.replay_id replay.id replay_id
boolean sentry.replay_is_buffering
string sentry.report_event
list sentry.sdk.integrations
string sentry.sdk.name sdk.name
string sentry.sdk.version sdk.version
string sentry.segment.id sentry.segment_id transaction.span_id
string sentry.segment.name transaction sentry.transaction
string sentry.segment.name.source
number sentry.server_sample_rate server_sample_rate
string sentry.source
string sentry.span.source
string sentry.status span.status
string sentry.status.message span.status.message
integer sentry.status_code span.status_code
string sentry.sveltekit.navigation.to
integer sentry.timestamp.sequence
string sentry.trace.parent_span_id
string sentry.trace.status trace.status
string sentry.trace_lifecycle trace_lifecycle
string server.address address http.server_name net.host.name server_name
integer server.port net.host.port port
string service.name
string session.id
string state.type
string sveltekit.load.environment
string sveltekit.load.node_type
string sveltekit.tracing.original_name
integer thread.id sentry.thread.id
string thread.name
string timber.tag
string tls.protocol.name
string tls.protocol.version
string trpc.procedure_path
string trpc.procedure_type
string type
string ui.component_name
boolean ui.contributes_to_ttfd
boolean ui.contributes_to_ttid
integer ui.element.height
string ui.element.id
string ui.element.identifier
number ui.element.load_time
string ui.element.paint_type
number ui.element.render_time
string ui.element.type
string ui.element.url
integer ui.element.width
string url.domain
string url.fragment
string url.full aws.request.url http.url messaging.url url
string url.path
integer url.port
string url.query
string url.scheme http.scheme
string url.template
string user.email sentry.user.email
string user.full_name
string user.geo.city sentry.user.geo.city
string user.geo.country_code sentry.user.geo.country_code
string user.geo.region sentry.user.geo.region
string user.geo.subdivision sentry.user.geo.subdivision
string user.geo.subregion sentry.user.geo.subregion
string user.hash
string user.id sentry.user.id
string user.ip_address sentry.user.ip user.ip
string user.name sentry.user.username user.username
list user.roles
string user_agent.original http.user_agent
string vercel.branch
string vercel.build_id
string vercel.deployment_id
string vercel.destination
string vercel.edge_type
string vercel.entrypoint
string vercel.execution_region
string vercel.id
string vercel.ja3_digest
string vercel.ja4_digest
string vercel.log_type
string vercel.path
string vercel.project_id
string vercel.project_name
string vercel.proxy.cache_id
string vercel.proxy.client_ip
string vercel.proxy.host
string vercel.proxy.lambda_region
string vercel.proxy.method
string vercel.proxy.path
string vercel.proxy.path_type
string vercel.proxy.path_type_variant
string vercel.proxy.referer
string vercel.proxy.region
integer vercel.proxy.response_byte_size
string vercel.proxy.scheme
integer vercel.proxy.status_code
integer vercel.proxy.timestamp
list vercel.proxy.user_agent
string vercel.proxy.vercel_cache
string vercel.proxy.vercel_id
string vercel.proxy.waf_action
string vercel.proxy.waf_rule_id
string vercel.request_id
string vercel.source
integer vercel.status_code
`
