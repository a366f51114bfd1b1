import { unlinkTicket } from '@firsthand/contract'
import { useQueryClient } from '@tanstack/react-query'
import { api } from '../../../lib/api.ts'
import { useForm } from '../../../lib/use-form.ts'
import { Field, FormDialog, Input, toast, useChanges } from '../../../ui/index.ts'
import { linkTicket, type TicketSubject } from '../queries.ts'
import { trackersKey } from '../query-keys.ts'

/** Links a ticket that exists. */
export function LinkTicket({
  org,
  subject,
  onClose,
}: {
  readonly org: string
  readonly subject: TicketSubject
  readonly onClose: () => void
}) {
  const client = useQueryClient()
  const changes = useChanges(() => void client.invalidateQueries({ queryKey: trackersKey(org) }))
  const form = useForm({
    initial: { url: '' },
    validate: ({ url }) => (url.trim() === '' ? { url: 'Enter the address of the ticket.' } : {}),
    submit: async ({ url }) => {
      const { id, key } = await linkTicket(org, subject, url.trim())
      await client.invalidateQueries({ queryKey: trackersKey(org) })
      const title = `${key} linked`
      const params = { org, ticket: id }
      toast({ title, action: changes.undo(title, () => api.call(unlinkTicket, { params })) })
      onClose()
    },
  })
  return (
    <FormDialog
      form={form}
      title="Link a ticket"
      description="Of a connected tracker. From then on, when either is closed, so is the other."
      submitLabel="Link ticket"
      onClose={onClose}
    >
      <Field label="Address of the ticket" error={form.errors.url}>
        <Input
          placeholder="https://github.com/owner/name/issues/12"
          value={form.values.url}
          onValueChange={(value) => form.set('url', value)}
        />
      </Field>
    </FormDialog>
  )
}
