import type { Tracker } from '@firsthand/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useForm } from '../../../lib/use-form.ts'
import { CodeBlock, Field, FormDialog, Input, Loaded, Select, Skeleton, Textarea, toast } from '../../../ui/index.ts'
import { KINDS } from '../model/kinds.ts'
import { createTicket, previewQuery, type TicketSubject } from '../queries.ts'
import { trackersKey } from '../query-keys.ts'
import styles from './Tickets.module.css'

interface Values {
  readonly tracker: string
  /** Until somebody writes another one, it is that of the preview. */
  readonly title: string | null
  readonly note: string
}

/** Makes a ticket: where, under which title, with which words of one's own above the evidence. */
export function CreateTicket({
  org,
  subject,
  trackers,
  onClose,
}: {
  readonly org: string
  readonly subject: TicketSubject
  readonly trackers: readonly Tracker[]
  readonly onClose: () => void
}) {
  const client = useQueryClient()
  const form = useForm<Values>({
    initial: { tracker: trackers[0]?.id ?? '', title: null, note: '' },
    validate: ({ title }) => (title?.trim() === '' ? { title: 'Write a title.' } : {}),
    submit: async ({ note, title, tracker }) => {
      const made = await createTicket(org, subject, {
        tracker,
        note,
        ...(title === null ? {} : { title: title.trim() }),
      })
      await client.invalidateQueries({ queryKey: trackersKey(org) })
      if (made.state === 'failed') throw new Error(made.error ?? 'The tracker refused it.')
      toast(
        made.key === ''
          ? { title: 'The ticket is on its way', description: made.error ?? `${made.tracker.name} answers slowly.` }
          : { title: `${made.key} created in ${made.tracker.name}` },
      )
      onClose()
    },
  })
  const { note, title, tracker } = form.values
  const preview = useQuery(previewQuery(org, subject, tracker))
  return (
    <FormDialog form={form} title="Create a ticket" size="large" submitLabel="Create ticket" onClose={onClose}>
      {trackers.length < 2 ? null : (
        <Field label="Where">
          <Select
            value={tracker}
            onValueChange={(value) => form.set('tracker', value)}
            options={trackers.map(({ id, kind, name, target }) => ({
              value: id,
              label: `${name} (${KINDS[kind].label}, ${target})`,
            }))}
          />
        </Field>
      )}
      <Field label="Title" error={form.errors.title}>
        <Input value={title ?? preview.data?.title ?? ''} onValueChange={(value) => form.set('title', value)} />
      </Field>
      <Field label="Your words" optional help="They stand above the evidence.">
        <Textarea value={note} onValueChange={(value) => form.set('note', value)} />
      </Field>
      <Loaded compact query={preview} outline={<Skeleton height={200} />} failed="The preview could not be made">
        {({ body }) => (
          <div className={styles.evidence}>
            <CodeBlock wrap title="Evidence" code={body} />
          </div>
        )}
      </Loaded>
    </FormDialog>
  )
}
