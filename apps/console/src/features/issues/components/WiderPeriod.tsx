import { Button } from '../../../ui/index.ts'
import { NO_DATES } from '../model/stream-choices.ts'
import type { ScopeSearch } from '../model/stream-search.ts'

const LONGEST = '90d'

/** From a list in which nothing was found to the longest time; nothing where that is shown already. */
export function WiderPeriod({
  search,
  onChange,
}: {
  readonly search: ScopeSearch
  readonly onChange: (change: Partial<ScopeSearch>) => void
}) {
  if (search.start === undefined && search.statsPeriod === LONGEST) return null
  return <Button onClick={() => onChange({ ...NO_DATES, statsPeriod: LONGEST })}>Show 90 days</Button>
}
