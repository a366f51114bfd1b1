import type { FeedbackDetail } from '@firsthand/contract'
import { useRef, useState } from 'react'

import { Button, Kbd, SegmentedControl, Textarea, useShortcut } from '../../../ui/index.ts'
import type { FeedbackActions } from '../actions.ts'
import { sendReply, writeNote } from '../queries.ts'
import styles from './Answer.module.css'

type Kind = 'reply' | 'note'

/** Where the team writes: to the reporter, or to itself. What was typed stays until it is sent. */
export function Answer({
  org,
  report,
  during,
}: {
  readonly org: string
  readonly report: FeedbackDetail
  readonly during: FeedbackActions['during']
}) {
  const { reply } = report
  const [kind, setKind] = useState<Kind>(reply.canReply ? 'reply' : 'note')
  const [texts, setTexts] = useState<Readonly<Record<Kind, string>>>({ reply: '', note: '' })
  const [busy, setBusy] = useState(false)
  const field = useRef<HTMLTextAreaElement>(null)
  const text = texts[kind]
  const write = (to: Kind) => {
    setKind(to)
    requestAnimationFrame(() => field.current?.focus())
  }
  useShortcut('r', () => write('reply'), { label: 'Reply', group: 'Feedback', enabled: reply.canReply })
  useShortcut('n', () => write('note'), { label: 'Write a note', group: 'Feedback' })

  const send = async (resolve: boolean) => {
    if (text.trim() === '' || busy) return
    setBusy(true)
    const done =
      kind === 'note'
        ? await during('The note', () => writeNote(org, report.id, text))
        : await during('The reply', () => sendReply(org, report.id, text, resolve))
    setBusy(false)
    if (done !== null) setTexts((now) => ({ ...now, [kind]: '' }))
  }
  return (
    <form
      className={styles.box}
      aria-label={kind === 'reply' ? 'Reply' : 'Note'}
      onSubmit={(event) => {
        event.preventDefault()
        void send(false)
      }}
    >
      {kind === 'reply' && !reply.canReply ? (
        <p className={styles.refusal}>{reply.reason}</p>
      ) : (
        <Textarea
          ref={field}
          aria-label={kind === 'reply' ? 'Reply to the reporter' : 'Note for the team'}
          placeholder={placeholder(kind, report)}
          value={text}
          maxLength={10_000}
          spellCheck
          dir="auto"
          className={styles.text ?? ''}
          onValueChange={(value) => setTexts((now) => ({ ...now, [kind]: value }))}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) {
              event.preventDefault()
              void send(false)
            }
            if (event.key === 'Escape') field.current?.blur()
          }}
        />
      )}
      <div className={styles.bar}>
        <SegmentedControl
          aria-label="To whom"
          value={kind}
          onValueChange={setKind}
          options={[
            { value: 'reply', label: 'Reply' },
            { value: 'note', label: 'Internal note' },
          ]}
        />
        <span className={styles.keys}>
          <Kbd keys="mod+Enter" />
        </span>
        {kind === 'reply' ? (
          <>
            <Button
              size="small"
              disabled={text.trim() === '' || !reply.canReply}
              busy={busy}
              onClick={() => void send(true)}
            >
              Reply and resolve
            </Button>
            <Button
              type="submit"
              size="small"
              variant="primary"
              disabled={text.trim() === '' || !reply.canReply}
              busy={busy}
            >
              Send reply
            </Button>
          </>
        ) : (
          <Button type="submit" size="small" variant="primary" disabled={text.trim() === ''} busy={busy}>
            Add note
          </Button>
        )}
      </div>
    </form>
  )
}

function placeholder(kind: Kind, { name, reply }: FeedbackDetail): string {
  if (kind === 'note') return 'Only the team reads this.'
  const who = name === '' ? 'the reporter' : name
  return reply.by === 'email'
    ? `Reply to ${who}, who reads it by e-mail and can answer.`
    : `Reply to ${who}, who reads it on their private page and can answer.`
}
