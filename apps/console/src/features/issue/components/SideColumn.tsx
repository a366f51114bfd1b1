import type { Activity, Answer, ApiGroupingVariant, createIssueNote, IssueDetail } from '@firsthand/contract'
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'

import { describeError } from '../../../lib/api.ts'
import { formatExact } from '../../../lib/format.ts'
import { organizationKeys } from '../../../lib/query-keys.ts'
import { issueKeys } from '../../issues/model/index.ts'
import { useAccess, useSession } from '../../../lib/shared-queries.ts'
import {
  Avatar,
  Button,
  Checkbox,
  Dialog,
  ErrorIcon,
  IconButton,
  Input,
  EditIcon,
  Num,
  RelativeTime,
  SearchIcon,
  Skeleton,
  Textarea,
  TrashIcon,
  toast,
  VisibleText,
} from '../../../ui/index.ts'
import { plainVisible } from '../../../lib/visible-text.ts'
import { activityLine } from '../model/activity.ts'
import {
  type Distribution,
  distribution,
  formatShare,
  isConstant,
  orderTagKeys,
  withoutTwins,
} from '../model/distribution.ts'
import { shownValue } from '../model/graph.ts'
import { decidesOtherwise, groupingLines, groupingSentence, isAsStored, sortVariants } from '../model/why-grouped.ts'
import {
  type IssueScope,
  activityQuery,
  groupingQuery,
  hashesQuery,
  issueTagsQuery,
  removeNote,
  rewriteNote,
  tagValuesQuery,
  unmergeHashes,
  writeNote,
} from '../queries.ts'
import { NoteField } from './NoteField.tsx'
import { PartFailed } from './PartFailed.tsx'
import { TagDifferences, useDifferences } from './TagDifferences.tsx'
import styles from './SideColumn.module.css'

/** Bars before "all tags". */
const FIRST_TAGS = 6
/** Pixels of one of them, with the space below, and the link under the last. */
const TAG_HEIGHT = 46

export function Part({
  title,
  action,
  children,
}: {
  readonly title: string
  readonly action?: ReactNode
  readonly children: ReactNode
}) {
  return (
    <section aria-label={title}>
      <div className={styles.head}>
        <h2 className={styles.title}>{title}</h2>
        {action}
      </div>
      {children}
    </section>
  )
}

export interface AffectedProps {
  readonly scope: IssueScope
  /** How many the issue has. */
  readonly events: number
  /** The events were counted, but what is stored of them cannot be read. */
  readonly isUnreadable: boolean
  readonly onFilter: (key: string, value: string) => void
}

/** Who is affected: how the values of each tag share the events. A bar opens all its values. */
export function Affected({ scope, events, isUnreadable, onFilter }: AffectedProps) {
  const { data: tags, error, refetch } = useQuery(issueTagsQuery(scope))
  const [all, setAll] = useState(false)
  const [open, setOpen] = useState<string | null>(null)
  const bars = new Map(
    (tags ?? []).flatMap((tag) => {
      const bar = distribution(tag.key, tag.topValues, tag.totalValues)
      return bar === null ? [] : [[tag.key, bar] as const]
    }),
  )
  const known = orderTagKeys(withoutTwins([...bars.keys()]))
  const compared = useDifferences(scope, events, tags === undefined ? undefined : known)
  if (error !== null && tags === undefined) {
    return (
      <Part title="Who is affected">
        <PartFailed what="The tags could not be loaded." error={error} onRetry={refetch} />
      </Part>
    )
  }
  const constants = [...bars.values()].filter((bar) => known.includes(bar.key) && isConstant(bar))
  const keys = known.filter((key) => !constants.some((bar) => bar.key === key))
  // What sets the events apart is said above.
  const others = constants.filter((bar) => !compared.found.some(({ key }) => key === bar.key))
  const shown = all ? keys : keys.slice(0, FIRST_TAGS)
  return (
    <Part title="Who is affected">
      <TagDifferences compared={compared} onOpen={setOpen} />
      {tags === undefined ? <Skeleton height={FIRST_TAGS * TAG_HEIGHT} /> : null}
      {tags !== undefined && known.length === 0 ? (
        <p className={styles.muted}>{isUnreadable ? 'The tags could not be loaded.' : 'The events carry no tags.'}</p>
      ) : null}
      <ul className={styles.bars}>
        {shown.map((key) => (
          <li key={key}>
            <TagBar bar={bars.get(key)} onOpen={() => setOpen(key)} />
          </li>
        ))}
      </ul>
      {others.length === 0 ? null : (
        <p className={styles.constants}>
          <span className={styles.muted}>In all of them:</span>
          {others.map((bar) => (
            <button key={bar.key} type="button" className={styles.constant} onClick={() => setOpen(bar.key)}>
              <span className={styles.muted}>
                <VisibleText text={bar.key} />
              </span>{' '}
              <VisibleText text={leaderOf(bar)} />
            </button>
          ))}
        </p>
      )}
      {keys.length > FIRST_TAGS ? (
        <button type="button" className={styles.more} onClick={() => setAll(!all)}>
          {all ? 'Fewer tags' : `All ${keys.length} tags`}
        </button>
      ) : null}
      {open === null ? null : (
        <TagValues
          scope={scope}
          tag={open}
          onClose={() => setOpen(null)}
          onFilter={(value) => {
            setOpen(null)
            onFilter(open, value)
          }}
        />
      )}
    </Part>
  )
}

function leaderOf({ key, leader }: Distribution): string {
  return shownValue(key, leader)
}

function TagBar({ bar, onOpen }: { readonly bar: Distribution | undefined; readonly onOpen: () => void }) {
  if (bar === undefined) return null
  return (
    <button type="button" className={styles.tag} title="All values" onClick={onOpen}>
      <span className={styles.tagHead}>
        <span className={styles.tagKey}>
          <VisibleText text={bar.key} />
        </span>
        <span className={styles.tagLeader}>
          <span className={styles.cut}>
            <VisibleText text={leaderOf(bar)} />
          </span>{' '}
          {bar.leaderShare}
        </span>
      </span>
      <span className={styles.track}>
        {bar.segments.map((segment, index) => (
          <span
            key={segment.value}
            className={styles[`segment${index}`]}
            style={{ flexBasis: `${segment.share * 100}%` }}
            title={plainVisible(`${segment.name} ${formatShare(segment.share)}`)}
          />
        ))}
      </span>
    </button>
  )
}

function TagValues({
  scope,
  tag,
  onClose,
  onFilter,
}: {
  readonly scope: IssueScope
  readonly tag: string
  readonly onClose: () => void
  readonly onFilter: (value: string) => void
}) {
  const [search, setSearch] = useState('')
  const query = useInfiniteQuery(tagValuesQuery(scope, tag, search))
  const values = query.data?.pages.flatMap((page) => page.data) ?? []
  const most = Math.max(1, ...values.map((value) => value.count))
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={<code>{plainVisible(tag)}</code>}
      description="All values, most frequent first. One click shows the issues that have it."
    >
      <Input
        aria-label="Search values"
        placeholder="Search values"
        icon={SearchIcon}
        value={search}
        onValueChange={setSearch}
      />
      {query.error === null ? null : <p className={styles.muted}>{describeError(query.error).detail}</p>}
      <ul className={styles.values}>
        {values.map((value) => (
          <li key={value.value}>
            <button type="button" className={styles.value} onClick={() => onFilter(value.value)}>
              <span className={styles.valueName}>
                <VisibleText text={value.value === '' ? '(empty)' : value.name} />
              </span>
              <Num value={value.count} />
              <span className={styles.valueTrack}>
                <span className={styles.segment0} style={{ flexBasis: `${(value.count / most) * 100}%` }} />
              </span>
            </button>
          </li>
        ))}
      </ul>
      {query.data !== undefined && values.length === 0 ? <p className={styles.muted}>No value matches.</p> : null}
      {query.hasNextPage ? (
        <Button size="small" busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          More values
        </Button>
      ) : null}
    </Dialog>
  )
}

export interface WhyGroupedProps {
  readonly scope: IssueScope
  readonly project: string
  /** Null until the event is there. */
  readonly event: string | null
  /** It will not be there. */
  readonly isMissing: boolean
}

/**
 * Why these events are one issue: a sentence, and on demand every part of every variant, and the hashes to split off. It is
 * what was decided when the event was stored; what today's rules would decide stands beside it when that differs.
 */
export function WhyGrouped({ scope, project, event, isMissing }: WhyGroupedProps) {
  const {
    data: variants,
    error,
    refetch,
  } = useQuery({
    ...groupingQuery(scope.org, project, event ?? '', 'stored'),
    enabled: event !== null,
  })
  const asStored = variants !== undefined && isAsStored(variants)
  const { data: rulesOfToday } = useQuery({
    ...groupingQuery(scope.org, project, event ?? '', 'today'),
    enabled: asStored,
  })
  const today = asStored && rulesOfToday !== undefined && decidesOtherwise(rulesOfToday, variants) ? rulesOfToday : null
  const [open, setOpen] = useState(false)
  const count = variants === undefined ? 0 : Object.keys(variants).length
  return (
    <Part title="Why grouped">
      {variants !== undefined || error !== null ? null : event === null && isMissing ? (
        <p className={styles.muted}>There is no event that shows it.</p>
      ) : (
        <Skeleton height={64} />
      )}
      {error === null || variants !== undefined ? null : (
        <PartFailed what="The grouping could not be loaded." error={error} onRetry={refetch} />
      )}
      {variants === undefined ? null : (
        <>
          <p className={styles.sentence}>
            <VisibleText text={groupingSentence(variants)} />
          </p>
          {asStored ? null : (
            <p className={styles.muted}>
              This is what today’s rules say: the event was stored before such decisions were kept.
            </p>
          )}
          {today === null ? null : (
            <p className={styles.muted}>
              Today’s rules would group it differently: <VisibleText text={groupingSentence(today)} />
            </p>
          )}
          <button type="button" className={styles.link} onClick={() => setOpen(true)}>
            {count === 1 ? 'Show the variant' : `Show the ${count} variants`}
          </button>
          <Dialog
            open={open}
            onOpenChange={setOpen}
            size="large"
            title="Why grouped"
            description="Events with a hash in common are one issue. What counts is dark; what was left out is grey, with the reason."
          >
            {sortVariants(variants).map((variant) => (
              <Variant key={variant.key} variant={variant} />
            ))}
            {today === null ? null : (
              <>
                <p className={styles.sentence}>
                  Above is what was decided when the event was stored. By today’s rules, a new event like it would be
                  grouped by this:
                </p>
                {sortVariants(today).map((variant) => (
                  <Variant key={variant.key} variant={variant} />
                ))}
              </>
            )}
            <Hashes scope={scope} />
          </Dialog>
        </>
      )}
    </Part>
  )
}

/** One way to tell events apart. Those that do not count are folded: one looks at them only to ask why. */
function Variant({ variant }: { readonly variant: ApiGroupingVariant }) {
  return (
    <details className={styles.variant} open={variant.contributes}>
      <summary className={styles.variantTitle}>
        <h3>{variant.description || variant.key}</h3>
        <span className={styles.muted}>
          {variant.contributes ? 'decides' : `does not count${variant.hint === null ? '' : `: ${variant.hint}`}`}
        </span>
      </summary>
      {variant.hash === null ? null : <code className={styles.hash}>{variant.hash}</code>}
      {variant.component === null ? (
        <p className={styles.muted}>Its parts are not known any more: the rules have changed since.</p>
      ) : (
        <ul className={styles.tree} aria-label={`Parts of ${variant.key}`}>
          {groupingLines(variant.component).map((line) => (
            <li
              key={line.key}
              className={line.contributes ? styles.counts : styles.ignored}
              style={{ paddingLeft: Math.min(line.depth, 8) * 16 }}
            >
              {line.name} <VisibleText text={line.value} />
              {line.hint === '' ? null : <span className={styles.reason}> ({line.hint})</span>}
            </li>
          ))}
        </ul>
      )}
    </details>
  )
}

function Hashes({ scope }: { readonly scope: IssueScope }) {
  const client = useQueryClient()
  const may = useAccess(scope.org)
  const { data } = useQuery(hashesQuery(scope))
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [busy, setBusy] = useState(false)
  const hashes = data?.data ?? []
  if (hashes.length < 2) return null
  const toggle = (id: string) => {
    const next = new Set(chosen)
    if (!next.delete(id)) next.add(id)
    setChosen(next)
  }
  const split = () => {
    setBusy(true)
    unmergeHashes(scope, [...chosen])
      .then(
        () => {
          setChosen(new Set())
          toast({ title: 'Split off into an issue of its own' })
          return client.invalidateQueries({ queryKey: organizationKeys.all(scope.org) })
        },
        (error: unknown) =>
          toast({ title: 'Splitting off failed', description: describeError(error).detail, tone: 'error' }),
      )
      .finally(() => setBusy(false))
  }
  return (
    <section className={styles.variant}>
      <h3 className={styles.variantTitle}>Hashes of this issue</h3>
      <ul>
        {hashes.map((hash) => (
          <li key={hash.id} className={styles.hashRow}>
            {may('event:write') ? (
              <Checkbox
                aria-label={`Split off ${hash.id}`}
                checked={chosen.has(hash.id)}
                onCheckedChange={() => toggle(hash.id)}
              />
            ) : null}
            <code className={styles.hash}>{hash.id}</code>
            <span className={styles.cut}>
              <VisibleText text={hash.latestEvent?.title ?? ''} />
            </span>
          </li>
        ))}
      </ul>
      {data?.next == null ? null : (
        <p className={styles.muted}>There are more; these are the {hashes.length} newest.</p>
      )}
      {may('event:write') ? (
        <Button
          size="small"
          busy={busy}
          disabled={chosen.size === 0 || (chosen.size === hashes.length && data?.next == null)}
          onClick={split}
        >
          Split off selected
        </Button>
      ) : null}
    </section>
  )
}

/** Who was told, and whom nobody could tell. */
function tellOfMentions(mentions: Answer<typeof createIssueNote>['mentions'] = []): void {
  const told = mentions.filter(({ reason }) => reason === null).map(({ name, handle }) => name ?? handle)
  const reasons = mentions.map(({ reason }) => reason).filter((reason) => reason !== null)
  if (mentions.length === 0) return
  toast({
    title: told.length === 0 ? 'The note was added' : `The note was added, and ${told.join(', ')} told`,
    ...(reasons.length > 0 && { description: reasons.join(' ') }),
  })
}

/** Activity first shown before "all". */
const FIRST_ACTIVITIES = 12

export function ActivityPart({ scope, issue }: { readonly scope: IssueScope; readonly issue: IssueDetail }) {
  const client = useQueryClient()
  const may = useAccess(scope.org)
  const { data } = useQuery(activityQuery(scope))
  const [text, setText] = useState('')
  const [busy, setBusy] = useState(false)
  const [all, setAll] = useState(false)
  const activities = data?.activity ?? issue.activity
  const refresh = () =>
    Promise.all([
      client.invalidateQueries({ queryKey: issueKeys.page(scope.org, scope.issue) }),
      client.invalidateQueries({ queryKey: issueKeys.lists(scope.org) }),
    ])
  const send = () => {
    if (text.trim() === '' || busy) return
    setBusy(true)
    writeNote(scope, text.trim())
      .then(
        ({ mentions }) => {
          setText('')
          tellOfMentions(mentions)
          return refresh()
        },
        (error: unknown) =>
          toast({ title: 'The note could not be saved', description: describeError(error).detail, tone: 'error' }),
      )
      .finally(() => setBusy(false))
  }
  const shown = all ? activities : activities.slice(0, FIRST_ACTIVITIES)
  return (
    <Part title="Activity">
      {may('event:write') ? (
        <form
          className={styles.note}
          onSubmit={(event) => {
            event.preventDefault()
            send()
          }}
        >
          <NoteField org={scope.org} text={text} className={styles.noteText} onChange={setText} onSend={send} />
          {text.trim() === '' ? null : (
            <Button type="submit" size="small" busy={busy}>
              Add note
            </Button>
          )}
        </form>
      ) : null}
      <ol className={styles.activities}>
        {shown.map((activity) => (
          <li key={activity.id}>
            <ActivityItem activity={activity} scope={scope} onChanged={refresh} />
          </li>
        ))}
      </ol>
      {all && data?.truncated === true ? <p className={styles.muted}>Older entries are not shown.</p> : null}
      {activities.length > FIRST_ACTIVITIES ? (
        <button type="button" className={styles.more} onClick={() => setAll(!all)}>
          {all ? 'Show less' : `${data?.truncated === true ? 'Newest' : 'All'} ${activities.length}`}
        </button>
      ) : null}
    </Part>
  )
}

function ActivityItem({
  activity,
  scope,
  onChanged,
}: {
  readonly activity: Activity
  readonly scope: IssueScope
  readonly onChanged: () => Promise<unknown>
}) {
  const session = useSession()
  const [editing, setEditing] = useState<string | null>(null)
  const line = activityLine(activity)
  const isOwn = line.quote !== null && activity.user !== null && activity.user.id === session.user?.id
  const work = (promise: Promise<unknown>) => {
    promise.then(
      () => {
        setEditing(null)
        return onChanged()
      },
      (error: unknown) =>
        toast({ title: 'The note could not be changed', description: describeError(error).detail, tone: 'error' }),
    )
  }
  return (
    <div className={styles.activity}>
      {activity.user === null ? (
        <span className={styles.system}>
          {activity.type === 'set_regression' || activity.type === 'set_escalating' ? (
            <ErrorIcon size={12} className={styles.alarm} />
          ) : (
            <span className={styles.point} />
          )}
        </span>
      ) : (
        <span title={activity.user.name || activity.user.email}>
          <Avatar name={activity.user.name || activity.user.email} />
        </span>
      )}
      <div className={styles.activityText}>
        {editing === null ? (
          <>
            {line.quote === null ? (
              <VisibleText text={line.text} />
            ) : (
              <span className={styles.quote}>
                “<VisibleText text={line.quote} />”
              </span>
            )}{' '}
            <span className={styles.muted} title={formatExact(Date.parse(activity.dateCreated))}>
              <RelativeTime time={activity.dateCreated} form="age" />
            </span>
            {isOwn ? (
              <span className={styles.own}>
                <IconButton size="small" icon={EditIcon} label="Edit the note" onClick={() => setEditing(line.quote)} />
                <IconButton
                  size="small"
                  icon={TrashIcon}
                  label="Delete the note"
                  onClick={() => work(removeNote(scope, activity.id))}
                />
              </span>
            ) : null}
          </>
        ) : (
          <form
            className={styles.note}
            onSubmit={(event) => {
              event.preventDefault()
              if (editing.trim() !== '') work(rewriteNote(scope, activity.id, editing.trim()))
            }}
          >
            <Textarea aria-label="Edit the note" rows={2} value={editing} onValueChange={setEditing} autoFocus />
            <span className={styles.buttons}>
              <Button size="small" onClick={() => setEditing(null)}>
                Cancel
              </Button>
              <Button size="small" type="submit">
                Save
              </Button>
            </span>
          </form>
        )}
      </div>
    </div>
  )
}
