import {
  RETENTION_DAYS_MAX,
  RETENTION_DAYS_MIN,
  slug as slugSchema,
  updateOrganization,
  type Organization,
} from '@firsthand/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { api } from '../../../lib/api.ts'
import { organizationQuery } from '../../../lib/organization-queries.ts'
import { sessionQuery, useAccess } from '../../../lib/shared-queries.ts'
import { useForm } from '../../../lib/use-form.ts'
import { showSaved } from '../../../lib/shown-data.ts'
import { Notice, toast } from '../../../ui/index.ts'
import { readBytesPerDay, writeBytesPerDay } from '../model/bytes-per-day.ts'
import { NumberField, SettingsForm, TextField } from './SettingsForm.tsx'
import { SettingsPage } from './SettingsPage.tsx'

/** Name, address and how long events are kept. */
export function OrganizationSettings() {
  const { org } = useParams({ from: '/signed-in/organizations/$org/settings/organization' })
  const organization = useQuery(organizationQuery(org))
  const mayWrite = useAccess(org)('org:write')
  return (
    <SettingsPage title="Organisation" what="The organisation" query={organization} mayWrite={mayWrite} shape="form">
      {(data) => <OrganizationForm key={data.slug} organization={data} mayWrite={mayWrite} />}
    </SettingsPage>
  )
}

function OrganizationForm({
  organization,
  mayWrite,
}: {
  readonly organization: Organization
  readonly mayWrite: boolean
}) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const form = useForm({
    initial: {
      name: organization.name,
      slug: organization.slug,
      retentionDays: String(organization.retentionDays),
      bytes: writeBytesPerDay(organization.bytesPerDay),
    },
    validate: ({ name, slug, retentionDays, bytes }) => ({
      ...checkBytes(bytes),
      ...(name.trim() === '' && { name: 'Name the organisation.' }),
      ...(!slugSchema.safeParse(slug).success && {
        slug: 'Use lower-case letters, digits and hyphens; not digits alone.',
      }),
      ...(!isRetention(retentionDays) && {
        retentionDays: `Enter a whole number of days from ${RETENTION_DAYS_MIN} to ${RETENTION_DAYS_MAX}.`,
      }),
    }),
    submit: async ({ name, slug, retentionDays, bytes }) => {
      const read = readBytesPerDay(bytes)
      const changed = await api.call(updateOrganization, {
        params: { org: organization.slug },
        body: {
          name,
          slug,
          retentionDays: Number(retentionDays),
          bytesPerDay: 'bytes' in read ? read.bytes : null,
        },
      })
      await queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 })
      showSaved(queryClient, organizationQuery(changed.slug).queryKey, changed)
      if (changed.slug !== organization.slug) {
        await navigate({
          to: '/organizations/$org/settings/organization',
          params: { org: changed.slug },
          replace: true,
        })
      }
      toast({ title: 'Organisation saved', tone: 'ok' })
    },
  })
  const shorter =
    isRetention(form.values.retentionDays) && Number(form.values.retentionDays) < organization.retentionDays
  return (
    <SettingsForm form={form} title="General" mayWrite={mayWrite}>
      <TextField form={form} name="name" label="Name" mayWrite={mayWrite} />
      <TextField
        form={form}
        name="slug"
        label="Slug"
        help="In addresses of this console and of the API. Links with the old one stop working."
        mono
        mayWrite={mayWrite}
      />
      <NumberField
        form={form}
        name="retentionDays"
        label="Keep events for"
        help="Older events, replays and attachments are deleted for good, and their disk space is freed."
        unit="days"
        mayWrite={mayWrite}
      />
      <NumberField
        form={form}
        name="bytes"
        label="Data per day"
        help="What all projects together may send. Leave it empty for the most that this installation allows: whoever runs the server sets it with FIRSTHAND_ORGANIZATION_BYTES_PER_DAY. Beyond it, data is refused until the next day. At most an eighth may come in one hour. What was already sent counts: a limit below it refuses at once."
        unit="GB"
        mayWrite={mayWrite}
      />
      {shorter ? (
        <Notice tone="warning">
          Everything older than {form.values.retentionDays} days will be deleted soon after saving. It cannot be
          restored.
        </Notice>
      ) : null}
    </SettingsForm>
  )
}

function checkBytes(text: string): { readonly bytes?: string } {
  const read = readBytesPerDay(text)
  return 'error' in read ? { bytes: read.error } : {}
}

function isRetention(text: string): boolean {
  const days = Number(text)
  return text.trim() !== '' && Number.isInteger(days) && days >= RETENTION_DAYS_MIN && days <= RETENTION_DAYS_MAX
}
