import type { NameRule, TransactionNames } from '@firsthand/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { describeError } from '../../../lib/api.ts'
import { formatCount } from '../../../lib/format.ts'
import { showSaved } from '../../../lib/shown-data.ts'
import type { ProjectSettingsProps } from '../../../shell/feature.ts'
import {
  Badge,
  Button,
  ErrorState,
  Field,
  Input,
  Panel,
  RelativeTime,
  toast,
  useChanges,
  VisibleText,
} from '../../../ui/index.ts'
import { FormOutline } from '../../settings/index.ts'
import { changeName, namesQuery } from '../names-queries.ts'
import styles from './ProjectNames.module.css'

/** By which rules the transactions of a project are called. */
export function ProjectNames({ org, project, mayWrite }: ProjectSettingsProps) {
  const { data, error, refetch } = useQuery(namesQuery(org, project.slug))
  if (error !== null && data === undefined) {
    return (
      <ErrorState
        title="The rules for names could not be loaded"
        {...describeError(error)}
        onRetry={() => void refetch()}
      />
    )
  }
  return data === undefined ? (
    <FormOutline label="Loading the rules for names" />
  ) : (
    <Names org={org} project={project.slug} names={data} mayWrite={mayWrite} />
  )
}

interface NamesProps {
  readonly org: string
  /** Slug. */
  readonly project: string
  readonly names: TransactionNames
  readonly mayWrite: boolean
}

type State = Parameters<typeof changeName>[2]['state']

function Names({ org, project, names, mayWrite }: NamesProps) {
  const client = useQueryClient()
  const { queryKey } = namesQuery(org, project)
  const { busy, during, undo } = useChanges(() => void client.invalidateQueries({ queryKey }))
  const change = async (pattern: string, state: State): Promise<void> =>
    showSaved(client, queryKey, await changeName(org, project, { pattern, state }))
  const act = async (rule: NameRule): Promise<void> => {
    const { wanted, before, title } = actionOf(rule)
    const done = await during('Changing the rule', () => change(rule.pattern, wanted).then(() => true))
    if (done !== null) toast({ title, action: undo(title, () => change(rule.pattern, before)) })
  }
  const { form, learnedFrom, rules } = names
  return (
    <>
      <p className={styles.about}>
        A transaction that is named after an address would have another name for every order and every product. Parts
        that look like ids become <code>*</code>; from {learnedFrom} different texts at one place on, so do these.
        Routes that a framework names stay as they are. What you change here holds for spans that come from now on:
        those that are stored keep their name.
      </p>
      {mayWrite ? <AddRule rules={rules} onAdd={(pattern) => change(pattern, 'own')} /> : null}
      <Panel title="Rules" subtitle="yours before all others" content="rows">
        <ul>
          {rules.map((rule) => (
            <li key={rule.pattern} className={styles.rule} data-refused={rule.isRefused || undefined}>
              <div className={styles.what}>
                <code className={styles.pattern}>
                  <VisibleText text={rule.pattern} />
                </code>
                <Badge tone={rule.origin === 'own' ? 'accent' : 'neutral'}>{originOf(rule)}</Badge>
              </div>
              <Use {...rule} />
              {mayWrite ? (
                <Button size="small" disabled={busy} onClick={() => void act(rule)}>
                  {actionOf(rule).label}
                </Button>
              ) : null}
              <Examples examples={rule.isRefused ? [] : rule.examples} />
            </li>
          ))}
          <li className={styles.rule}>
            <div className={styles.what}>
              <span>Numbers, UUIDs, hashes, dates, e-mail addresses</span>
              <Badge>By form</Badge>
            </div>
            <Use {...form} />
            <Examples examples={form.examples} />
          </li>
        </ul>
      </Panel>
      <Room names={names} />
    </>
  )
}

const originOf = ({ isRefused, origin }: NameRule): string =>
  origin === 'own' ? 'Yours' : isRefused ? 'Refused' : 'Learned'

interface Action {
  readonly label: string
  readonly wanted: State
  /** What takes it back. */
  readonly before: State
  readonly title: string
}

function actionOf({ isRefused, origin, pattern }: NameRule): Action {
  if (origin === 'own') return { label: 'Remove', wanted: 'removed', before: 'own', title: `${pattern} removed` }
  return isRefused
    ? { label: 'Use again', wanted: 'learned', before: 'refused', title: `${pattern} is used again` }
    : { label: 'Refuse', wanted: 'refused', before: 'learned', title: `${pattern} refused` }
}

function Use({ times, lastUsed }: Pick<NameRule, 'times' | 'lastUsed'>) {
  return (
    <span className={styles.use}>
      {lastUsed === null ? (
        'not used yet'
      ) : (
        <>
          named {formatCount(times)} {times === 1 ? 'transaction' : 'transactions'}, the last{' '}
          <RelativeTime time={lastUsed} />
        </>
      )}
    </span>
  )
}

function Examples({ examples }: Pick<NameRule, 'examples'>) {
  if (examples.length === 0) return null
  return (
    <ul className={styles.examples} aria-label="Examples">
      {examples.map(({ name, sent }) => (
        <li key={sent}>
          <VisibleText text={sent} /> → <VisibleText text={name} />
        </li>
      ))}
    </ul>
  )
}

function AddRule({
  rules,
  onAdd,
}: {
  readonly rules: readonly NameRule[]
  readonly onAdd: (pattern: string) => Promise<void>
}) {
  const [pattern, setPattern] = useState('')
  const [error, setError] = useState<string>()
  const [busy, setBusy] = useState(false)
  const wanted = pattern.trim()
  const isThere = rules.some((rule) => rule.origin === 'own' && rule.pattern === wanted)
  const add = async (): Promise<void> => {
    setBusy(true)
    try {
      await onAdd(wanted)
      setPattern('')
      setError(undefined)
      toast({ title: `${wanted} holds from now on`, tone: 'ok' })
    } catch (failure) {
      setError(describeError(failure).detail)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Panel title="Make a rule" content="padded">
      <form
        className={styles.add}
        onSubmit={(event) => {
          event.preventDefault()
          if (wanted !== '' && !isThere && !busy) void add()
        }}
      >
        <Field
          label="Path"
          wide
          error={isThere ? 'This rule is there already.' : error}
          help="* stands for one part of the path, or for the rest of one (order-*); ** at the end for all that follows. Without * the name stays as it is."
        >
          <Input
            mono
            placeholder="/shop/*/reviews"
            maxLength={200}
            value={pattern}
            onValueChange={(value) => {
              setPattern(value)
              setError(undefined)
            }}
          />
        </Field>
        <Button type="submit" busy={busy} disabled={wanted === '' || isThere}>
          Add rule
        </Button>
      </form>
    </Panel>
  )
}

/** How many names there may be, and what became of those that were too many. */
function Room({ names: { mostPlaces, other, places } }: { readonly names: TransactionNames }) {
  return (
    <Panel title="Room for names" content="padded">
      <p className={styles.room}>
        {formatCount(places)} of {formatCount(mostPlaces)} parts of names are taken.{' '}
        {other.lastUsed === null ? (
          <>
            What finds no place is called <code>{'<other>'}</code>; nothing is yet.
          </>
        ) : (
          <>
            {formatCount(other.times)} {other.times === 1 ? 'transaction' : 'transactions'} found no place and{' '}
            {other.times === 1 ? 'is' : 'are'} called <code>{'<other>'}</code>, the last{' '}
            <RelativeTime time={other.lastUsed} />. A rule that fits many of them makes room.
          </>
        )}
      </p>
      <Examples examples={other.examples} />
    </Panel>
  )
}
