import type { Served } from '../capability.ts'
import { countRejected } from './read/read-otlp-metrics.ts'

export const serveMetrics = (): Served => ({
  exports: {
    otel_metrics_data: {
      field: 'rejectedDataPoints',
      countRejected,
      message:
        'A data point must have a finite value. Histograms must tell what was since the last export ' +
        '(OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE=delta). Summaries are not kept.',
    },
  },
})
