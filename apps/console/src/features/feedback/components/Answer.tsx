import type { FeedbackDetail } from '@firsthand/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'

import { Button, Kbd, SegmentedControl, Textarea, useShortcut } from '../../../ui/index.ts'
import { plainVisible } from '../../../lib/visible-text.ts'
import type { FeedbackActions } from '../actions.ts'
import { type Draft, draftKey } from '../queries.ts'
import styles from './Answer.module.css'

type Kind = keyof Draft

/** Where the team writes: to the reporter, or to itself. What was typed stays until it is sent. */
export function Answer({
  org,
  report,
  actions,
}: {
  readonly org: string
  readonly report: FeedbackDetail
  readonly actions: FeedbackActions
}) {
  const { reply } = report
  const [kind, setKind] = useState<Kind>(reply.canReply ? 'reply' : 'note')
  const [texts, setDraft] = useDraft(org, report.id)
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
    const done = kind === 'note' ? await actions.note(report.id, text) : await actions.reply(report.id, text, resolve)
    setBusy(false)
    if (done) setDraft({ ...texts, [kind]: '' })
  }
  return (
    <form
      data-composer
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
          readOnly={busy}
          spellCheck
          dir="auto"
          className={styles.text ?? ''}
          onValueChange={(value) => setDraft({ ...texts, [kind]: value })}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) {
              event.preventDefault()
              void send(false)
            }
            if (event.key === 'Escape') field.current?.blur()
          }}
        />
      )}
      {kind === 'reply' && reply.canReply ? <p className={styles.way}>{wayWords(report)}</p> : null}
      <div className={styles.bar}>
        <SegmentedControl
          aria-label="Send to"
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
        <SendButtons
          kind={kind}
          busy={busy}
          disabled={text.trim() === '' || (kind === 'reply' && !reply.canReply)}
          onResolve={() => void send(true)}
        />
      </div>
    </form>
  )
}

/** What was typed and is not sent. It stays when one leaves the report and comes back, and goes at log-out. */
function useDraft(org: string, report: string): [Draft, (next: Draft) => void] {
  const client = useQueryClient()
  const key = draftKey(org, report)
  const [texts, setTexts] = useState<Draft>(() => client.getQueryData<Draft>(key) ?? { reply: '', note: '' })
  const setDraft = (next: Draft) => {
    setTexts(next)
    client.setQueryDefaults(key, { gcTime: Infinity })
    client.setQueryData<Draft>(key, next)
  }
  return [texts, setDraft]
}

function SendButtons({
  kind,
  busy,
  disabled,
  onResolve,
}: {
  readonly kind: Kind
  readonly busy: boolean
  readonly disabled: boolean
  readonly onResolve: () => void
}) {
  if (kind === 'note') {
    return (
      <Button type="submit" size="small" variant="primary" disabled={disabled} busy={busy}>
        Add note
      </Button>
    )
  }
  return (
    <>
      <Button size="small" disabled={disabled} busy={busy} onClick={onResolve}>
        Reply and resolve
      </Button>
      <Button type="submit" size="small" variant="primary" disabled={disabled} busy={busy}>
        Send reply
      </Button>
    </>
  )
}

function placeholder(kind: Kind, { name }: FeedbackDetail): string {
  if (kind === 'note') return 'Only the team reads this.'
  return `Reply to ${name === '' ? 'the reporter' : name}`
}

/** Stays while one types, unlike a placeholder: an answer cannot be called back. */
function wayWords({ email, mergedCount, reply }: FeedbackDetail): string {
  const way =
    reply.by === 'email'
      ? `Sent by e-mail to ${plainVisible(email)}, who can answer.`
      : 'Shown on the reporter’s private page, where they can reply.'
  if (mergedCount === 0) return way
  return `${way} ${mergedCount === 1 ? 'The other report’s author does' : `The authors of the ${mergedCount} other reports do`} not see it.`
}
