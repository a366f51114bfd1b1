import type { LogLevel } from '@firsthand/contract'
import { LOG_LEVELS } from '@firsthand/contract'
import { useQuery } from '@tanstack/react-query'

import { formatCompact } from '../../../lib/format.ts'
import { levelWord } from '../../../lib/level-word.ts'
import { useProjectNames } from '../../../lib/shared-queries.ts'
import { Button, Picker, VisibleText } from '../../../ui/index.ts'
import type { LogsSearch } from '../model/logs-search.ts'
import { chosenValues } from '../../search/model/index.ts'
import { toggleValue } from '../model/terms.ts'
import { facetsQuery, refreshOf } from '../queries.ts'
import { LevelGlyph } from './LevelGlyph.tsx'
import type { ChangeLogs } from './LogsScreen.tsx'
import styles from './LogFacets.module.css'

const TITLES: ReadonlyMap<string, string> = new Map([
  ['level', 'Level'],
  ['project', 'Project'],
  ['service', 'Service'],
  ['logger', 'Logger'],
  ['release', 'Release'],
  ['environment', 'Environment'],
  ['server', 'Server'],
  ['pattern', 'Message, alike'],
])

/** What the lines have most, and what narrows them at a press. */
export function LogFacets({
  org,
  search,
  onChange,
}: {
  readonly org: string
  readonly search: LogsSearch
  readonly onChange: ChangeLogs
}) {
  const { line: _line, facet, ...scope } = search
  const projects = useProjectNames(org)
  const wordOf = (key: string, value: string): string =>
    key === 'level' ? levelWord(value) : key === 'project' ? (projects.get(value) ?? value) : value
  const { data } = useQuery({ ...facetsQuery(org, scope, facet), refetchInterval: refreshOf(scope) })
  if (data === undefined) return <aside className={styles.facets} aria-label="Values" />
  const shown = data.facets.filter(
    ({ key, values }) => values.length > 1 || facet.includes(key) || chosenValues(search.query, key).length > 0,
  )
  const offered = data.attributes.filter(({ name }) => !facet.includes(name))
  return (
    <aside className={styles.facets} aria-label="Values">
      {shown.map(({ key, values, hasMore }) => {
        const chosen = chosenValues(search.query, key)
        const known = new Set(values.map(({ value }) => value))
        const all = [
          ...ordered(key, values),
          ...chosen.filter((value) => !known.has(value)).map((value) => ({ value, count: 0 })),
        ]
        return (
          <fieldset key={key} className={styles.facet}>
            <legend className={styles.title}>
              <VisibleText text={TITLES.get(key) ?? key} />
              {facet.includes(key) ? (
                <Button
                  size="small"
                  variant="ghost"
                  onClick={() => onChange({ facet: facet.filter((one) => one !== key) })}
                >
                  Remove
                </Button>
              ) : null}
            </legend>
            {all.map(({ value, count }) => (
              <label key={value} className={styles.value}>
                <input
                  type="checkbox"
                  checked={chosen.includes(value)}
                  onChange={() => onChange({ query: toggleValue(search.query, key, value) })}
                />
                {key === 'level' ? <LevelGlyph level={value as LogLevel} /> : null}
                <span
                  title={value}
                  className={styles.text}
                  data-mono={key === 'level' || key === 'project' ? undefined : ''}
                >
                  <VisibleText text={wordOf(key, value)} />
                </span>
                <span className={styles.count}>{formatCompact(count)}</span>
              </label>
            ))}
            {hasMore ? <p className={styles.more}>and others</p> : null}
          </fieldset>
        )
      })}
      {offered.length === 0 || facet.length >= MOST_FACETS ? null : (
        <Picker
          label="Attributes"
          emptyText="No attribute has that name."
          options={offered.map(({ name }) => ({ value: name, label: name }))}
          value={null}
          onPick={(name) => onChange({ facet: [...facet, name] })}
          trigger={<MoreButton count={offered.length} />}
        />
      )}
    </aside>
  )
}

/** @param rest what the picker gives it */
function MoreButton({ count, ...rest }: { readonly count: number }) {
  const text = `+ values of ${count} ${count === 1 ? 'attribute' : 'attributes'}`
  return (
    <Button {...rest} aria-label={text} size="small" variant="ghost">
      {text}
    </Button>
  )
}

const MOST_FACETS = 5

interface Value {
  readonly value: string
  readonly count: number
}

/** Levels by how bad they are, all others as they come: most frequent first. */
function ordered(key: string, values: readonly Value[]): readonly Value[] {
  if (key !== 'level') return values
  const worst = LOG_LEVELS.toReversed() as readonly string[]
  return values.toSorted((one, other) => worst.indexOf(one.value) - worst.indexOf(other.value))
}
