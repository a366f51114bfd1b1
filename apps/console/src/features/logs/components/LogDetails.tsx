import type { Attribute, LogLine, WholeLog } from '@firsthand/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { describeError } from '../../../lib/api.ts'
import { formatBytes, formatCount, formatExact } from '../../../lib/format.ts'
import { levelWord } from '../../../lib/level-word.ts'
import {
  Button,
  ButtonLink,
  CopyButton,
  ErrorState,
  IconButton,
  MinusIcon,
  PlusIcon,
  SkeletonRows,
  VisibleText,
} from '../../../ui/index.ts'
import { addFilter } from '../../search/model/index.ts'
import { folded, FOLDED_CHARS, prettyJson, withoutColours } from '../model/body.ts'
import type { LogsSearch } from '../model/logs-search.ts'
import { lineQuery } from '../queries.ts'
import type { ChangeLogs } from './LogsScreen.tsx'
import styles from './LogDetails.module.css'

interface DetailsProps {
  readonly org: string
  readonly line: LogLine
  readonly search: LogsSearch
  readonly onChange: ChangeLogs
}

/** All that is stored of a line: its whole body, its attributes by their type, where it comes from, its trace. */
export function LogDetails({ org, line, search, onChange }: DetailsProps) {
  const query = useQuery(lineQuery(org, line.id))
  if (query.data === undefined) {
    return (
      <div className={styles.details}>
        {query.isError ? (
          <ErrorState
            compact
            title="The line could not be loaded"
            {...describeError(query.error)}
            onRetry={() => void query.refetch()}
          />
        ) : (
          <SkeletonRows rows={4} label="Loading the line" />
        )}
      </div>
    )
  }
  return <Whole org={org} log={query.data} search={search} onChange={onChange} />
}

function Whole({ org, log, search, onChange }: Omit<DetailsProps, 'line'> & { readonly log: WholeLog }) {
  const from = (
    [
      ['written', formatExact(Date.parse(log.timestamp))],
      ['received', formatExact(Date.parse(log.received))],
      ['severity', `${levelWord(log.level)} (${log.severity})`],
      ['SDK', log.sdk],
      ['span', log.spanId],
      ['size', formatBytes(log.size)],
    ] as const
  ).filter(([, value]) => value !== '')
  const onFilter = (key: string, value: string, negated: boolean): void =>
    onChange({ query: addFilter(search.query, key, value, negated) })
  return (
    <div className={styles.details}>
      <Body log={log} />
      {log.notes.map((note, index) => (
        <p key={`${index}${note}`} className={styles.note}>
          <VisibleText text={note} />
        </p>
      ))}
      <div className={styles.columns}>
        <section className={styles.part}>
          <h2 className={styles.heading}>
            Attributes <span className={styles.count}>{formatCount(log.attributes.length)}</span>
          </h2>
          {log.attributes.length === 0 ? <p className={styles.muted}>The SDK sent none.</p> : null}
          <dl className={styles.facts}>
            {log.attributes.map((one) => (
              <AttributeRow key={one.name} attribute={one} onFilter={onFilter} />
            ))}
          </dl>
        </section>
        <section className={styles.part}>
          <h2 className={styles.heading}>
            From
            <CopyButton text={JSON.stringify(log, null, 2)} label="JSON" withText />
          </h2>
          <dl className={styles.facts}>
            {from.map(([name, value]) => (
              <div key={name} className={styles.fact}>
                <dt className={styles.key}>{name}</dt>
                <dd className={styles.value}>
                  <VisibleText text={value} />
                </dd>
              </div>
            ))}
          </dl>
        </section>
        <section className={styles.part}>
          <h2 className={styles.heading}>Its trace</h2>
          {log.traceId === '' ? (
            <p className={styles.muted}>It belongs to none.</p>
          ) : (
            <>
              <p className={styles.id}>{log.traceId}</p>
              <div className={styles.actions}>
                <ButtonLink
                  size="small"
                  kbd="t"
                  to="/organizations/$org/traces/$trace"
                  params={{ org, trace: log.traceId }}
                  search={log.spanId === '' ? {} : { span: log.spanId }}
                >
                  Open trace
                </ButtonLink>
                <Button size="small" onClick={() => onFilter('trace', log.traceId, false)}>
                  Only this trace
                </Button>
              </div>
            </>
          )}
        </section>
      </div>
    </div>
  )
}

/** The body as a text; JSON with its structure; a long one folded. */
function Body({ log }: { readonly log: WholeLog }) {
  const [isWhole, setWhole] = useState(false)
  const text = prettyJson(log.body) ?? withoutColours(log.body)
  return (
    <div className={styles.body}>
      <pre className={styles.text} tabIndex={0}>
        <VisibleText text={isWhole ? text : folded(text)} />
      </pre>
      <div className={styles.actions}>
        {text.length <= FOLDED_CHARS ? null : (
          <Button size="small" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
            {isWhole ? 'Fold it again' : `Show all ${formatBytes(text.length)}`}
          </Button>
        )}
        <CopyButton text={log.body} label="message" withText />
      </div>
    </div>
  )
}

/** Values above this are shown folded as bodies are. */
function AttributeRow({
  attribute,
  onFilter,
}: {
  readonly attribute: Attribute
  readonly onFilter: (key: string, value: string, negated: boolean) => void
}) {
  const { name, type, value } = attribute
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  // Lists, and texts that no search could hold, are not filtered by.
  const canFilter = type !== 'array' && text.length <= FOLDED_CHARS / 2
  return (
    <div className={styles.fact}>
      <dt className={styles.key}>
        <VisibleText text={name} />
      </dt>
      <dd className={styles.value} data-type={type}>
        <VisibleText text={folded(text)} />
        {canFilter ? (
          <span className={styles.filters}>
            <IconButton
              size="small"
              icon={PlusIcon}
              label={`Only lines with this ${name}`}
              onClick={() => onFilter(name, text, false)}
            />
            <IconButton
              size="small"
              icon={MinusIcon}
              label={`Without this ${name}`}
              onClick={() => onFilter(name, text, true)}
            />
          </span>
        ) : null}
      </dd>
    </div>
  )
}
