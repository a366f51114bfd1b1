import {
  email as emailSchema,
  inviteMember,
  leaveOrganization,
  removeMember,
  renewInvitation,
  updateMember,
  type Member,
  type Role,
} from '@firsthand/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useParams, useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { api, describeError } from '../../../lib/api.ts'
import { sessionKey } from '../../../lib/query-keys.ts'
import { membersQuery, teamsQuery } from '../../../lib/organization-queries.ts'
import { useAccess, useSession } from '../../../lib/shared-queries.ts'
import { useForm } from '../../../lib/use-form.ts'
import { showAtOnce, showSaved } from '../../../lib/shown-data.ts'
import {
  AlertDialog,
  Avatar,
  Badge,
  Button,
  EmptyState,
  Field,
  FormDialog,
  IconButton,
  Input,
  Menu,
  MenuItem,
  MenuSeparator,
  MoreIcon,
  MultiCombobox,
  Panel,
  PlusIcon,
  RelativeTime,
  SearchIcon,
  Select,
  toast,
} from '../../../ui/index.ts'
import { ROLE_WORDS, rolesToGive } from '../model/roles.ts'
import { PausedAddresses } from './PausedAddresses.tsx'
import { SecretDialog } from './SecretDialog.tsx'
import { SettingsPage } from './SettingsPage.tsx'
import styles from './settings.module.css'

/** A search field is worth its room from here on. */
const SEARCH_FROM = 8

/** Members, their roles, and open invitations. */
export function MembersSettings() {
  const { org } = useParams({ from: '/signed-in/organizations/$org/settings/members' })
  const members = useQuery(membersQuery(org))
  const session = useSession()
  const mayWrite = useAccess(org)('member:write')
  const ownRole = session.organizations.find((membership) => membership.slug === org)?.role
  const [inviting, setInviting] = useState(false)
  const [link, setLink] = useState<{ readonly email: string; readonly url: string } | null>(null)
  const [search, setSearch] = useState('')

  return (
    <SettingsPage
      title="Members"
      what="The members"
      mayWrite={mayWrite}
      query={members}
      actions={
        mayWrite ? (
          <Button variant="primary" icon={PlusIcon} onClick={() => setInviting(true)}>
            Invite someone
          </Button>
        ) : undefined
      }
    >
      {(data) => {
        const wanted = search.trim().toLowerCase()
        const shown = data.filter((member) => `${member.name} ${member.email}`.toLowerCase().includes(wanted))
        return (
          <>
            <PausedAddresses org={org} mayWrite={mayWrite} />
            {data.length >= SEARCH_FROM ? (
              <Input
                icon={SearchIcon}
                aria-label="Search members"
                placeholder="Search members"
                value={search}
                onValueChange={setSearch}
              />
            ) : null}
            <Panel content="rows">
              {shown.length === 0 ? (
                <EmptyState
                  compact
                  icon={SearchIcon}
                  title={`Nobody matches “${search}”`}
                  action={<Button onClick={() => setSearch('')}>Clear the search</Button>}
                />
              ) : (
                <ul className={styles.rows}>
                  {shown.map((member) => (
                    <MemberRow
                      key={member.id}
                      org={org}
                      member={member}
                      mayWrite={mayWrite}
                      ownRole={ownRole}
                      isMe={member.user !== null && member.user.id === session.user?.id}
                      onLink={(url) => setLink({ email: member.email, url })}
                    />
                  ))}
                </ul>
              )}
            </Panel>
            {inviting ? (
              <InviteDialog
                org={org}
                ownRole={ownRole}
                onClose={() => setInviting(false)}
                onInvited={(email, url) => {
                  setInviting(false)
                  setLink({ email, url })
                }}
              />
            ) : null}
            {link === null ? null : (
              <SecretDialog
                title="Invitation link"
                description={`Send this to ${link.email}. It is shown only once; you can create a new one at any time.`}
                secret={link.url}
                label="link"
                onClose={() => setLink(null)}
              />
            )}
          </>
        )
      }}
    </SettingsPage>
  )
}

interface MemberRowProps {
  readonly org: string
  readonly member: Member
  readonly mayWrite: boolean
  readonly ownRole: Role | undefined
  readonly isMe: boolean
  readonly onLink: (url: string) => void
}

/** What can be done with a member or an invitation. */
function useMemberChanges({ org, member, isMe, onLink }: MemberRowProps) {
  const queryClient = useQueryClient()
  const router = useRouter()
  const [removing, setRemoving] = useState(false)
  const [busy, setBusy] = useState(false)
  const { queryKey } = membersQuery(org)
  const params = { org, member: member.id }
  const put =
    (changed: Member) =>
    (members: Member[] | undefined): Member[] | undefined =>
      members?.map((other) => (other.id === changed.id ? changed : other))
  const fail = (title: string) => (error: unknown) => {
    toast({ title, description: describeError(error).detail, tone: 'error' })
  }

  const changeRole = (role: Role): void => {
    showAtOnce(queryClient, queryKey, put({ ...member, role, orgRole: role }))
    api.call(updateMember, { params, body: { role } }).then(
      (changed) => {
        showSaved(queryClient, queryKey, put(changed))
        if (isMe) void queryClient.invalidateQueries({ queryKey: sessionKey })
        toast({ title: `${member.name || member.email} is ${ROLE_WORDS[role].label.toLowerCase()} now`, tone: 'ok' })
      },
      (error: unknown) => {
        showSaved(queryClient, queryKey, put(member))
        fail('The role could not be changed')(error)
      },
    )
  }

  const remove = async (): Promise<void> => {
    setBusy(true)
    try {
      // Leaving takes no right; removing others does.
      await (isMe ? api.call(leaveOrganization, { params: { org } }) : api.call(removeMember, { params }))
      setRemoving(false)
      if (isMe) {
        await queryClient.invalidateQueries({ queryKey: sessionKey })
        await router.navigate({ to: '/' })
        return
      }
      showSaved(queryClient, queryKey, (old) => old?.filter((other) => other.id !== member.id))
      toast({
        title: member.pending ? `Invitation of ${member.email} withdrawn` : `${member.name || member.email} removed`,
      })
    } catch (error) {
      fail(isMe ? 'You could not leave' : 'The member could not be removed')(error)
    } finally {
      setBusy(false)
    }
  }

  const renew = (): void => {
    void api.call(renewInvitation, { params }).then((renewed) => {
      showSaved(queryClient, queryKey, put(renewed))
      onLink(renewed.inviteLink)
    }, fail('No new link could be created'))
  }
  return { busy, removing, setRemoving, changeRole, remove, renew }
}

function MemberRow(props: MemberRowProps) {
  const { member, mayWrite, ownRole, isMe } = props
  const changes = useMemberChanges(props)
  const roles = rolesToGive(ownRole)
  const mayChange = mayWrite && roles.includes(member.role)
  return (
    <li className={styles.row}>
      <Avatar name={member.name || member.email} size={32} />
      <div className={styles.main}>
        <p className={styles.name}>
          {member.name || member.email} {isMe ? <Badge>You</Badge> : null}{' '}
          {member.pending ? (
            <Badge tone={member.expired ? 'warning' : 'info'}>
              {member.expired ? 'Invitation expired' : 'Invited'}
            </Badge>
          ) : null}
        </p>
        <p className={styles.sub}>
          {member.name === '' ? null : `${member.email} · `}
          {member.pending ? 'invited' : 'joined'} <RelativeTime time={member.dateCreated} />
          {member.teams.length === 0 ? null : ` · ${member.teams.join(', ')}`}
        </p>
      </div>
      <div className={styles.actions}>
        {mayChange && !member.pending ? (
          <Select
            look="bar"
            aria-label={`Role of ${member.name || member.email}`}
            value={member.role}
            onValueChange={changes.changeRole}
            options={roles.map((role) => ({ value: role, ...ROLE_WORDS[role] }))}
          />
        ) : (
          <span className={styles.muted}>{ROLE_WORDS[member.role].label}</span>
        )}
        {isMe || mayChange ? (
          <Menu
            align="end"
            trigger={<IconButton icon={MoreIcon} size="small" label={`More for ${member.name || member.email}`} />}
          >
            {member.pending ? (
              <>
                <MenuItem onSelect={changes.renew}>New invitation link</MenuItem>
                <MenuSeparator />
              </>
            ) : null}
            <MenuItem danger onSelect={() => changes.setRemoving(true)}>
              {isMe ? 'Leave organisation…' : member.pending ? 'Withdraw invitation…' : 'Remove…'}
            </MenuItem>
          </Menu>
        ) : null}
      </div>
      <RemoveDialog member={member} isMe={isMe} changes={changes} />
    </li>
  )
}

function RemoveDialog({
  member,
  isMe,
  changes,
}: Pick<MemberRowProps, 'member' | 'isMe'> & { readonly changes: ReturnType<typeof useMemberChanges> }) {
  return (
    <AlertDialog
      open={changes.removing}
      onOpenChange={changes.setRemoving}
      title={
        member.pending
          ? `Withdraw the invitation of ${member.email}?`
          : isMe
            ? 'Leave this organisation?'
            : `Remove ${member.name || member.email}?`
      }
      description={
        member.pending
          ? 'Its link stops working.'
          : `${isMe ? 'You lose' : 'They lose'} access at once, and API tokens that ${isMe ? 'you' : 'they'} made stop working. Issues assigned to ${isMe ? 'you' : 'them'} become unassigned; comments stay.`
      }
      confirmLabel={member.pending ? 'Withdraw' : isMe ? 'Leave' : 'Remove'}
      busy={changes.busy}
      onConfirm={() => void changes.remove()}
    />
  )
}

function InviteDialog({
  org,
  ownRole,
  onClose,
  onInvited,
}: {
  readonly org: string
  readonly ownRole: Role | undefined
  readonly onClose: () => void
  readonly onInvited: (email: string, link: string) => void
}) {
  const queryClient = useQueryClient()
  const { data: teams = [] } = useQuery(teamsQuery(org))
  const form = useForm<{ email: string; role: Role; teams: readonly string[] }>({
    initial: { email: '', role: 'member', teams: [] },
    validate: ({ email }) =>
      emailSchema.safeParse(email).success ? {} : { email: 'Enter an e-mail address, like ann@example.com.' },
    submit: async ({ teams: chosen, ...body }) => {
      const { inviteLink, ...member } = await api.call(inviteMember, {
        params: { org },
        body: { ...body, ...(chosen.length > 0 && { teams: [...chosen] }) },
      })
      showSaved(queryClient, membersQuery(org).queryKey, (old) => [...(old ?? []), member])
      onInvited(member.email, inviteLink)
    },
  })
  return (
    <FormDialog
      form={form}
      title="Invite someone"
      description="You get a link to send them yourself."
      submitLabel="Create link"
      onClose={onClose}
    >
      <Field label="E-mail" error={form.errors.email}>
        <Input type="email" value={form.values.email} onValueChange={(value) => form.set('email', value)} />
      </Field>
      <Field label="Role" error={form.errors.role}>
        <Select
          value={form.values.role}
          onValueChange={(value) => form.set('role', value)}
          options={rolesToGive(ownRole).map((role) => ({ value: role, ...ROLE_WORDS[role] }))}
        />
      </Field>
      {teams.length === 0 ? null : (
        <Field label="Teams" optional>
          <MultiCombobox
            placeholder="No team"
            values={form.values.teams}
            onValuesChange={(values) => form.set('teams', values)}
            options={teams.map((team) => ({ value: team.slug, label: team.name }))}
          />
        </Field>
      )}
    </FormDialog>
  )
}
