import { useQuery } from '@tanstack/react-query'
import { useNow } from '../../../lib/now.ts'
import { useAccess } from '../../../lib/shared-queries.ts'
import { ButtonLink, Loaded, PlusIcon, SkeletonRows } from '../../../ui/index.ts'
import type { MonitorsSearch } from '../model/monitors-search.ts'
import { asRuns, uptimeLinesQuery, uptimeListQuery } from './queries.ts'
import { UptimeRow } from './UptimeRow.tsx'
import styles from './UptimeSection.module.css'
import { isDown } from './words.ts'

/** Addresses that this server asks by itself; those that are down first. */
export function UptimeSection({ org, search }: { readonly org: string; readonly search: MonitorsSearch }) {
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
  const now = useNow(1000)
  const access = useAccess(org)
  return (
    <section aria-label="Uptime" className={styles.section}>
      <div className={styles.head}>
        <h2>
          Uptime <span>{shown === undefined ? '' : `${shown.length}, asked by this server`}</span>
        </h2>
        {access('event:write') ? (
          <ButtonLink size="small" icon={PlusIcon} to="/organizations/$org/monitors/uptime/new" params={{ org }}>
            New address
          </ButtonLink>
        ) : null}
      </div>
      <Loaded
        query={{ ...list, data: shown }}
        compact
        outline={<SkeletonRows rows={3} label="Loading the addresses" />}
        failed="The addresses could not be loaded"
      >
        {(checks) =>
          checks.length === 0 ? (
            <p className={styles.none}>
              No address is asked{search.query === '' ? ' yet' : ' that has this in its name'}. The server can ask any
              that is on the Internet, each minute to each hour.
            </p>
          ) : (
            <ul className={styles.rows}>
              {checks
                .toSorted((left, right) => Number(isDown(right)) - Number(isDown(left)))
                .map((check) => {
                  const line = lines?.lines.find((one) => one.check === check.id)
                  return (
                    <UptimeRow
                      key={check.id}
                      org={org}
                      check={check}
                      cells={lines === undefined ? null : asRuns(line?.cells ?? [])}
                      now={now}
                    />
                  )
                })}
            </ul>
          )
        }
      </Loaded>
    </section>
  )
}
