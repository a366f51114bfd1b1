import type { Served, ServerParts } from '../capability.ts'
import { isPersonInAttributes } from '../search/index.ts'
import { personalRows } from '../storage/index.ts'
import { countRejected } from './read/read-otlp-metrics.ts'

/** What senders of exports are told at once. */
export const METRIC_EXPORTS = {
  otel_metrics_data: {
    field: 'rejectedDataPoints',
    countRejected,
    message:
      'A data point must have a finite value. Histograms must tell what was since the last export ' +
      '(OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE=delta). Summaries are not kept.',
  },
} satisfies NonNullable<Served['exports']>

export const serveMetrics = ({ client }: ServerParts): Served => ({
  personal: [
    personalRows(client, {
      what: 'metrics',
      counted: [['metrics', 'count()']],
      named: (_, names) => isPersonInAttributes('user', names),
    }),
  ],
  exports: METRIC_EXPORTS,
})
