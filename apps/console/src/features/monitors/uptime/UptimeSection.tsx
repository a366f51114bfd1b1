import type { TimelineCell, UptimeCheck } from '@firsthand/contract'
import { useQuery } from '@tanstack/react-query'
import { useAccess } from '../../../lib/shared-queries.ts'
import { ButtonLink, Loaded, PlusIcon, SkeletonRows } from '../../../ui/index.ts'
import type { MonitorsSearch } from '../model/monitors-search.ts'
import { asRuns, uptimeLinesQuery, uptimeListQuery } from './queries.ts'
import { UptimeRow } from './UptimeRow.tsx'
import styles from './UptimeSection.module.css'
import { isDown } from './words.ts'

/** Addresses that this server asks by itself, as the search has them. */
export function useUptimeChecks(org: string, search: MonitorsSearch) {
  const list = useQuery(uptimeListQuery(org, search))
  const shown = list.data?.filter(({ name, url }) =>
    `${name} ${url}`.toLowerCase().includes(search.query.toLowerCase()),
  )
  const { data: lines } = useQuery(
    uptimeLinesQuery(
      org,
      (shown ?? []).map(({ id }) => id),
      search.hours,
    ),
  )
  return {
    /** Undefined while they are asked for. */
    query: { ...list, data: shown },
    cellsOf: (check: UptimeCheck): readonly TimelineCell[] | null =>
      lines === undefined ? null : asRuns(lines.lines.find((one) => one.check === check.id)?.cells ?? []),
  }
}

interface UptimeSectionProps {
  readonly org: string
  readonly search: MonitorsSearch
  readonly uptime: ReturnType<typeof useUptimeChecks>
  readonly now: number
}

/** The addresses that need nobody; those that are down stand on top of everything. */
export function UptimeSection({ now, org, search, uptime }: UptimeSectionProps) {
  const { cellsOf, query } = uptime
  const access = useAccess(org)
  const well = query.data?.filter((check) => !isDown(check))
  return (
    <section aria-label="Uptime" className={styles.section}>
      <div className={styles.head}>
        <h2>
          Uptime <span>{well === undefined ? '' : `${well.length}, checked by this server`}</span>
        </h2>
        {access('event:write') ? (
          <ButtonLink size="small" icon={PlusIcon} to="/organizations/$org/monitors/uptime/new" params={{ org }}>
            New uptime check
          </ButtonLink>
        ) : null}
      </div>
      <Loaded
        query={query}
        compact
        outline={<SkeletonRows rows={3} label="Loading the uptime checks" />}
        failed="The uptime checks could not be loaded"
      >
        {(all) =>
          all.length === 0 ? (
            <p className={styles.none}>
              {search.query === ''
                ? 'No uptime checks yet. This server can ask any address on the Internet, each minute to each hour.'
                : 'No uptime check has this in its name or address.'}
            </p>
          ) : (
            <ul className={styles.rows}>
              {all
                .filter((check) => !isDown(check))
                .map((check) => (
                  <UptimeRow key={check.id} org={org} check={check} cells={cellsOf(check)} now={now} />
                ))}
            </ul>
          )
        }
      </Loaded>
    </section>
  )
}
