import type { Issue, IssueDetail } from '@firsthand/contract'
import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'

import { describeError } from '../../../lib/api.ts'
import { formatCount } from '../../../lib/format.ts'
import {
  Button,
  Checkbox,
  Dialog,
  Input,
  LevelDot,
  Notice,
  RelativeTime,
  SearchIcon,
  SkeletonRows,
  VisibleText,
} from '../../../ui/index.ts'
import { useIssueActions } from '../../issues/index.ts'
import { titleParts } from '../../issues/model/index.ts'
import { mostAlikeFirst } from '../model/similarity.ts'
import { mergeCandidatesQuery } from '../queries.ts'
import styles from './MergeDialog.module.css'

export interface MergeDialogProps {
  readonly org: string
  readonly issue: IssueDetail
  readonly open: boolean
  readonly onOpenChange: (open: boolean) => void
  /** The id of the issue that stands for all of them now. */
  readonly onMerged: (parent: string) => void
}

/** Chooses issues of the same project that are the same to a person, and says before what happens to them. */
export function MergeDialog({ org, issue, open, onOpenChange, onMerged }: MergeDialogProps) {
  const [search, setSearch] = useState('')
  const [chosen, setChosen] = useState<ReadonlyMap<string, Issue>>(new Map())
  const query = useDeferredValue(search.trim())
  const { data, error } = useQuery({ ...mergeCandidatesQuery(org, issue.project.id, query), enabled: open })
  const actions = useIssueActions(org, [issue, ...chosen.values()])
  const others = mostAlikeFirst(
    issue,
    (data ?? []).filter((other) => other.id !== issue.id && other.project.id === issue.project.id),
  )
  // What was chosen stays in sight when one searches for more.
  const kept = [...chosen.values()].filter((one) => !others.some((other) => other.id === one.id))

  const close = () => {
    onOpenChange(false)
    setSearch('')
    setChosen(new Map())
  }
  const toggle = (other: Issue) => {
    const next = new Map(chosen)
    if (!next.delete(other.id)) next.set(other.id, other)
    setChosen(next)
  }
  const merge = () => {
    if (chosen.size === 0) return
    void actions.merge([issue.id, ...chosen.keys()]).then((parent) => {
      if (parent === null) return
      close()
      onMerged(parent)
    })
  }

  return (
    <Dialog
      open={open}
      onOpenChange={close}
      size="large"
      title={`Merge ${issue.shortId} with other issues`}
      description="The one with the most events stays and takes in the events of the others; links to those lead to it. Their notes and history rest until the merge is taken back: at once in the message that follows, later under “Why grouped”."
      onSubmit={merge}
      footer={
        <>
          <Button onClick={close}>Cancel</Button>
          <Button type="submit" variant="primary" busy={actions.busy} disabled={chosen.size === 0}>
            {chosen.size === 0 ? 'Merge' : `Merge ${chosen.size + 1} issues`}
          </Button>
        </>
      }
    >
      <Input
        aria-label={`Search issues of ${issue.project.name}`}
        placeholder={`Search issues of ${issue.project.name}`}
        icon={SearchIcon}
        value={search}
        onValueChange={setSearch}
      />
      {error === null ? null : <Notice tone="error">{describeError(error).detail}</Notice>}
      {data === undefined && error === null ? <SkeletonRows rows={5} label="Loading issues" /> : null}
      {data !== undefined && others.length + kept.length === 0 ? (
        <p className={styles.none}>
          {query === '' ? 'The project has no other issue.' : 'No other issue of this project matches.'}
        </p>
      ) : null}
      <ul className={styles.list}>
        {[...kept, ...others].map((other) => (
          <li key={other.id}>
            <Candidate issue={other} chosen={chosen.has(other.id)} onToggle={() => toggle(other)} />
          </li>
        ))}
      </ul>
    </Dialog>
  )
}

function Candidate({
  issue,
  chosen,
  onToggle,
}: {
  readonly issue: Issue
  readonly chosen: boolean
  readonly onToggle: () => void
}) {
  const { lead, rest } = titleParts(issue)
  const count = Number(issue.count)
  return (
    <Checkbox
      aria-label={`Merge with ${issue.shortId}`}
      className={styles.candidate}
      checked={chosen}
      onCheckedChange={onToggle}
      label={
        <>
          <span className={styles.title}>
            <LevelDot level={issue.level} />
            <span className={styles.words}>
              <strong>
                <VisibleText text={lead} />
              </strong>{' '}
              <VisibleText text={rest} />
            </span>
          </span>
          <span className={styles.facts}>
            {issue.shortId} · {formatCount(count)} {count === 1 ? 'event' : 'events'} ·{' '}
            <RelativeTime time={issue.lastSeen} />
          </span>
        </>
      }
    />
  )
}
