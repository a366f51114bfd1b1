import { useQuery } from '@tanstack/react-query'

import { marksQuery } from './queries.ts'

/** A moment on a chart at which somebody was told. */
export interface AlertMark {
  readonly timeMs: number
  /** Id of the alert. */
  readonly alert: string
  readonly label: string
}

const NONE: readonly AlertMark[] = []

/** When alerts fired, for charts of the same time; none while that is not known. */
export function useAlertMarks(
  org: string,
  about: Parameters<typeof marksQuery>[1],
  enabled = true,
): readonly AlertMark[] {
  const { data } = useQuery({ ...marksQuery(org, about), enabled })
  return data === undefined
    ? NONE
    : data.map(({ started, ruleId, ruleName }) => ({
        timeMs: Date.parse(started),
        alert: ruleId,
        label: `Alert: ${ruleName}`,
      }))
}
