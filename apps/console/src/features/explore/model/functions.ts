import type { Dataset, FunctionOption } from './datasets.ts'
import { type Metric, METRIC_FUNCTIONS, metricOf, readMetricFunction, writeMetricFunction } from './metrics.ts'

/** `p95(span.duration)`: a function and its attribute, as the screen offers them. Null for what it does not: equations, conditions. */
export interface ChosenFunction {
  readonly option: FunctionOption
  readonly attribute: string | null
  /** The metric that it is about. */
  readonly metric: Metric | null
}

/** What can be asked: of a metric, by its type. */
export function functionsOf({ functions }: Dataset, metric: Metric | null): readonly FunctionOption[] {
  return metric === null ? functions : METRIC_FUNCTIONS[metric.type]
}

export function readFunction(dataset: Dataset, text: string): ChosenFunction | null {
  const read = readMetricFunction(text)
  if (read !== null) {
    const { metric, name } = read
    const found = functionsOf(dataset, metric).find((one) => one.name === name)
    return found === undefined ? null : { option: found, attribute: null, metric }
  }
  const [, name, inside = ''] = /^([a-z0-9_]+)\((.*)\)$/.exec(text) ?? []
  const option = dataset.functions.find((one) => one.name === name)
  if (option === undefined || /[`"(]/.test(inside)) return null
  if (option.takes === 'nothing') return inside === '' ? { option, attribute: null, metric: null } : null
  return { option, attribute: inside === '' ? (option.usual ?? '') : inside, metric: null }
}

/** What a link that somebody wrote means with a bare name: the function of that name, or what is asked of such an attribute. Null when that is nothing. */
export function fromBareName(dataset: Dataset, text: string): string | null {
  if (text.includes('(') || text.includes('|')) return text
  const named = dataset.functions.find(({ name }) => name === text)
  if (named !== undefined) return writeFunction(named, null)
  const takes = isMeasured(dataset, text) ? 'number' : 'attribute'
  const [first = ''] = dataset.usual.visualise
  const options = [readFunction(dataset, first)?.option, ...dataset.functions]
  const option = options.find((one) => one?.takes === takes)
  return option === undefined ? null : writeFunction(option, text)
}

const isMeasured = ({ measured }: Dataset, attribute: string): boolean =>
  measured !== null && (attribute === measured || /^(span\.self_time$|measurements\.)/.test(attribute))

export function writeFunction(option: FunctionOption, attribute: string | null, metric: Metric | null = null): string {
  if (metric !== null) return writeMetricFunction(option.name, metric)
  return option.takes === 'nothing' ? `${option.name}()` : `${option.name}(${attribute ?? option.usual ?? ''})`
}

/** Another function was chosen: it keeps the metric, and the attribute if it can have it. */
export function withFunction({ option, attribute, metric }: ChosenFunction, next: FunctionOption): string {
  return writeFunction(next, next.takes === option.takes ? attribute : null, metric)
}

/** The first function that is not on screen yet. */
export function nextFunction(dataset: Dataset, visualise: readonly string[]): string | null {
  const metric = metricOf(visualise)
  const all = functionsOf(dataset, metric).map((option) => writeFunction(option, null, metric))
  const free = all.find((one) => !visualise.includes(one))
  return free ?? null
}

/** A, B, C … */
export function letterOf(place: number): string {
  return String.fromCodePoint(65 + place)
}
