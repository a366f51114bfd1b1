import type { AttributeValue } from '../event/index.ts'

/**
 * What is done with a metric's values: those of a counter are added up, a gauge is what it was at a moment, a distribution
 * is of many things, each with a value.
 */
export const METRIC_TYPES = ['counter', 'gauge', 'distribution'] as const
export type MetricType = (typeof METRIC_TYPES)[number]

/** What was measured, once or, of a histogram, several times. */
export interface ReadMetric {
  readonly name: string
  readonly type: MetricType
  /** As SDKs name it (`millisecond`); '' for none. */
  readonly unit: string
  /** Milliseconds since the epoch, and nanoseconds behind them. */
  readonly at: number
  readonly nanos: number
  /** Order among values of the same moment. */
  readonly sequence: number
  /** By the names of the OpenTelemetry and Sentry conventions, columns among them. */
  readonly attributes: { [name: string]: AttributeValue }
  readonly values: readonly MeasuredValue[]
  /** Sentences about what was changed or left out. */
  readonly notes: readonly string[]
}

export interface MeasuredValue {
  readonly value: number
  /** How often it was measured: the things in a part of a histogram. */
  readonly weight: number
  /** 32 hex characters; '' when it belongs to no trace. */
  readonly traceId: string
  /** 16 hex characters; '' when it belongs to no span. */
  readonly spanId: string
}

/** What was read of an item. */
export interface ReadMetrics {
  readonly metrics: readonly ReadMetric[]
  /** Elements or data points without a name, a type or a value. */
  readonly unreadable: number
  /** Histograms that count from their beginning on, and summaries: neither can be added up. */
  readonly unaddable: number
  readonly beyondLimit: number
}
