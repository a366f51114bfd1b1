import type { ErasurePreview } from '@firsthand/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'

import { describeError } from '../../../lib/api.ts'
import {
  Button,
  Checkbox,
  Dialog,
  ErrorState,
  Notice,
  SkeletonRows,
  toast,
  useChanges,
  VisibleText,
} from '../../../ui/index.ts'
import { plainVisible } from '../../../lib/visible-text.ts'
import { areSeveral, countWords, namesToBegin } from '../model/erasure-words.ts'
import { personKey } from '../query-keys.ts'
import { erase, previewQuery, takeBack } from './queries.ts'
import styles from './ErasePerson.module.css'

interface ErasePersonProps {
  readonly org: string
  readonly user: string
  readonly name: string
  readonly onClose: () => void
}

/** Asks before all that is kept of a person is deleted: under which names, how much it is, and what stays. */
export function ErasePerson(props: ErasePersonProps) {
  const { org, user, name, onClose } = props
  const { data, error, refetch } = useQuery(previewQuery(org, user, null))
  if (data !== undefined) return <Choices {...props} preview={data} />
  return (
    <Dialog open onOpenChange={onClose} title={titleOf(name)} footer={<Button onClick={onClose}>Cancel</Button>}>
      {error === null ? (
        <SkeletonRows rows={6} />
      ) : (
        <ErrorState
          title="What is kept of them could not be counted"
          {...describeError(error)}
          onRetry={() => void refetch()}
        />
      )}
    </Dialog>
  )
}

const titleOf = (name: string): string => `Delete everything of ${name}?`

function Choices({ org, user, name, preview, onClose }: ErasePersonProps & { readonly preview: ErasurePreview }) {
  const client = useQueryClient()
  const [names, setNames] = useState(() => namesToBegin(preview.names, user))
  const areJoined = names.length === preview.names.length && preview.names.every((one) => names.includes(one))
  const chosen = useQuery({ ...previewQuery(org, user, areJoined ? null : names), enabled: names.length > 0 })
  const { busy, during, undo } = useChanges(() => void client.invalidateQueries({ queryKey: personKey(org) }))

  const send = async (): Promise<void> => {
    if (busy || names.length === 0) return
    const planned = await during('The deletion', () => erase(org, names))
    if (planned === null) return
    onClose()
    toast({
      title: `Everything of ${name} is deleted in ten minutes`,
      description: 'Until then it can be taken back, here and on their page.',
      action: undo(`${name} is not deleted`, () => takeBack(org, planned.id)),
    })
  }

  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={titleOf(name)}
      description="In every project of the organisation, and of any time."
      onSubmit={() => void send()}
      footer={
        <>
          <span className={styles.undo}>Undo works for ten minutes</span>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="danger" busy={busy} disabled={names.length === 0}>
            Delete everything
          </Button>
        </>
      }
    >
      <div className={styles.parts}>
        <Names names={names} preview={preview} onChange={setNames} />
        <section className={styles.part} aria-label="What is deleted">
          <h3>What is deleted</h3>
          <p role="status" aria-busy={chosen.isFetching}>
            {names.length === 0
              ? 'Nothing: no name is chosen.'
              : chosen.error !== null
                ? describeError(chosen.error).detail
                : chosen.isPlaceholderData || chosen.data === undefined
                  ? 'Counting …'
                  : `${beginning(countWords(chosen.data.counts))}, with the files that came with them.`}
          </p>
        </section>
        <WhatStays />
      </div>
    </Dialog>
  )
}

const beginning = (words: string): string => words.slice(0, 1).toUpperCase() + words.slice(1)

function Names({
  names,
  preview: { names: joined, beside, isWhole },
  onChange,
}: {
  readonly names: readonly string[]
  readonly preview: ErasurePreview
  readonly onChange: (names: readonly string[]) => void
}) {
  const all = [...joined, ...beside]
  return (
    <section className={styles.part} aria-label="Under these names">
      <h3>Under these names</h3>
      <ul className={styles.names}>
        {all.map((one) => (
          <li key={one}>
            <Checkbox
              label={<VisibleText text={one} />}
              checked={names.includes(one)}
              onCheckedChange={(checked) =>
                onChange(all.filter((other) => (other === one ? checked : names.includes(other))))
              }
            />
          </li>
        ))}
      </ul>
      {areSeveral(joined) ? (
        <Notice tone="warning">
          These names stand beside each other in what is kept, and may be of several people: an address may be shared.
          Tick what is theirs as well. Whatever has a ticked name goes, whoever else it names.
        </Notice>
      ) : null}
      {beside.length === 0 ? null : (
        <Notice>
          {beside.map(plainVisible).join(', ')} {beside.length === 1 ? 'was' : 'were'} called the same, and may be
          somebody else. Tick what is theirs.
        </Notice>
      )}
      {isWhole ? null : (
        <Notice tone="warning">There are more names beside these than are listed. What has only those stays.</Notice>
      )}
    </section>
  )
}

function WhatStays() {
  return (
    <section className={styles.part} aria-label="What stays">
      <h3>What stays</h3>
      <ul className={styles.stays}>
        <li>What is received from now on: it is new. Stop sending it, or delete again.</li>
        <li>Issues, with their titles and what your team wrote about them. Their counts go down.</li>
        <li>What your team was sent: mails, chat messages, tickets at trackers. And backups.</li>
        <li>What does not name them as its user: breadcrumbs, tags and texts of others, spans, log lines, profiles.</li>
        <li>That a deletion was asked for, by whom, when, and how much went. Not of whom.</li>
      </ul>
    </section>
  )
}
