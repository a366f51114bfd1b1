import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { cpuByStage } from '../../tools/harness/server.ts'

const LOOK_MS = 250
const MINUTE_MS = 60_000

interface Look {
  readonly at: number
  /** The last minute that is evaluated. */
  readonly minute: number
  readonly seconds: Readonly<Record<string, number>>
}

/** Between two looks. */
interface Step {
  readonly ms: number
  readonly isEvaluating: boolean
  readonly rates: Readonly<Record<string, number>>
}

const median = (values: readonly number[]): number =>
  values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? 0

/**
 * What the evaluation of minutes takes: a minute is evaluated in a few seconds after its end, in which a server takes so much
 * more than it does before and after. Of that nothing else that changes in a minute is counted.
 */
export const watchMinutes = (dataDir: string, pid: number) => {
  const ledger = new DatabaseSync(join(dataDir, 'ledger.sqlite'), { readOnly: true, timeout: MINUTE_MS })
  const minuteOf = ledger.prepare('SELECT minute FROM measured_clock')
  const looks: Look[] = []
  const look = (): void => {
    looks.push({ at: Date.now(), minute: Number(minuteOf.get()?.['minute'] ?? 0), seconds: cpuByStage(pid) })
  }
  look()
  const timer = setInterval(look, LOOK_MS)

  const steps = (): readonly Step[] =>
    looks.slice(1).map((one, index) => {
      const before = looks[index] ?? one
      const ms = one.at - before.at
      const isEvaluating = before.minute < Math.floor(one.at / MINUTE_MS) - 1
      const rates = Object.entries(one.seconds).map(
        ([stage, seconds]) => [stage, (seconds - (before.seconds[stage] ?? 0)) / ms] as const,
      )
      return { ms, isEvaluating, rates: Object.fromEntries(rates) }
    })

  return {
    /** @returns by stage, seconds that the evaluation of one minute takes; and how long it takes */
    end: () => {
      clearInterval(timer)
      look()
      ledger.close()
      const all = steps()
      const minutes = (looks.at(-1)?.minute ?? 0) - (looks[0]?.minute ?? 0)
      const evaluating = all.filter(({ isEvaluating }) => isEvaluating)
      const others = all.filter(({ isEvaluating }) => !isEvaluating)
      const moreOf = (stage: string): number => {
        const usual = median(others.map(({ rates }) => rates[stage] ?? 0))
        return evaluating.reduce((sum, { ms, rates }) => sum + ((rates[stage] ?? 0) - usual) * ms, 0) / minutes
      }
      const tookMs = evaluating.reduce((sum, { ms }) => sum + ms, 0) / minutes
      return { minutes, tookMs, moreOf }
    },
  }
}
