import type { Answer, getEventsTimeseries } from '@firsthand/contract'
import { stepOfSamples, usualStep } from './explore-search.ts'
import { type Kind, plainText } from './values.ts'

/** Lines of a chart. */

export interface ChartLine {
  /** Values of its group, joined; empty for a line of everything. */
  readonly label: string
  /** These values, where the answer has them one by one. */
  readonly group: readonly unknown[]
  /** All groups that have no line of their own. */
  readonly isOther: boolean
  /** By axis; null where nothing was that could have a value. */
  readonly values: ReadonlyMap<string, readonly (number | null)[]>
  /** Of the time before, at the same places; empty where nothing is compared. */
  readonly before: ReadonlyMap<string, readonly (number | null)[]>
}

export interface Chart {
  /** Starts of the steps, milliseconds since the epoch. */
  readonly times: readonly number[]
  readonly bucketMs: number
  /** From this step on more may arrive; undefined when nothing can. */
  readonly incompleteFromMs: number | undefined
  readonly kinds: ReadonlyMap<string, Kind>
  readonly lines: readonly ChartLine[]
}

const OTHER = 'all others'
const NO_VALUE = '(none)'

/** How a group is called in the chart and in the table. */
export function labelOf(values: readonly unknown[]): string {
  return values.map(textOf).join(' · ')
}

function textOf(value: unknown): string {
  if (value === null || value === undefined || value === '') return NO_VALUE
  return plainText(value)
}

type Series = Answer<typeof getEventsTimeseries>

/** How many samples the line with the most of them has. */
function samplesIn({ timeSeries }: Series): number {
  return Math.max(
    0,
    ...timeSeries
      .filter(({ meta }) => meta.isOther !== true)
      .map(({ values }) => values.reduce((sum, { sampleCount = 0 }) => sum + sampleCount, 0)),
  )
}

/** A chart in the step that suits the time; when there are too few samples for that, in a longer one. */
export async function askInSuitableSteps(
  time: Parameters<typeof usualStep>[0],
  ask: (interval: string) => Promise<Series>,
): Promise<Chart> {
  const usual = usualStep(time)
  const answer = await ask(`${usual}`)
  const samples = samplesIn(answer)
  const suitable = samples === 0 ? usual : stepOfSamples(time, samples)
  return chartOf(suitable === usual ? answer : await ask(`${suitable}`))
}

export function chartOf({ timeSeries }: Answer<typeof getEventsTimeseries>): Chart {
  const first = timeSeries[0]
  type Values = Map<string, (number | null)[]>
  type Line = Pick<ChartLine, 'group' | 'isOther'> & { readonly values: Values; readonly before: Values }
  const lines = new Map<string, Line>()
  for (const { yAxis, groupBy, values, meta } of timeSeries) {
    const isOther = meta.isOther === true
    const group = (groupBy ?? []).map(({ value }) => value)
    const label = isOther ? OTHER : labelOf(group)
    const line = lines.get(label) ?? { group, isOther, values: new Map(), before: new Map() }
    line.values.set(
      yAxis,
      values.map(({ value }) => value),
    )
    if (values.some(({ comparisonValue }) => comparisonValue !== undefined))
      line.before.set(
        yAxis,
        values.map(({ comparisonValue }) => comparisonValue ?? null),
      )
    lines.set(label, line)
  }
  return {
    times: first?.values.map(({ timestamp }) => timestamp) ?? [],
    bucketMs: first?.meta.interval ?? 0,
    incompleteFromMs: first?.values.find(({ incomplete }) => incomplete)?.timestamp,
    kinds: new Map(timeSeries.map(({ yAxis, meta }) => [yAxis, { type: meta.valueType, unit: meta.valueUnit }])),
    lines: [...lines].map(([label, line]) => ({ label, ...line })),
  }
}

export interface LineLook {
  /** Token of its colour. */
  readonly hue: string
  readonly dash?: readonly number[]
}

/** Lines differ in dash as well as in hue. */
const LOOKS: readonly LineLook[] = [
  { hue: '--ink' },
  { hue: '--kind-browser', dash: [5, 3] },
  { hue: '--kind-request' },
  { hue: '--kind-queue', dash: [1.5, 2.5] },
  { hue: '--kind-cache', dash: [7, 2.5, 1.5, 2.5] },
  { hue: '--kind-database', dash: [9, 3] },
  { hue: '--accent', dash: [3, 2] },
  { hue: '--kind-request', dash: [2, 5] },
  { hue: '--kind-queue', dash: [10, 2, 2, 2] },
  { hue: '--kind-cache', dash: [4, 4] },
]

const OTHERS_LOOK: LineLook = { hue: '--chart-bar' }

export function lookOf(place: number, isOther: boolean): LineLook {
  return isOther ? OTHERS_LOOK : (LOOKS[place % LOOKS.length] ?? OTHERS_LOOK)
}
