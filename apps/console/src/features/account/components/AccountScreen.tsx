import {
  email as emailSchema,
  endOtherSessions,
  endSession,
  updateMe,
  updatePassword,
  type LoginSession,
  type User,
} from '@firsthand/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { api, describeError, fetchSession } from '../../../lib/api.ts'
import { usePageTitle } from '../../../lib/page-title.ts'
import { checkNewPassword, PASSWORD_HELP } from '../../../lib/password.ts'
import { sessionQuery, useSession } from '../../../lib/shared-queries.ts'
import { useForm } from '../../../lib/use-form.ts'
import { showAtOnce, showSaved } from '../../../lib/shown-data.ts'
import {
  AlertDialog,
  Badge,
  Button,
  Checkbox,
  ErrorState,
  Field,
  FieldStack,
  Input,
  Notice,
  PageBody,
  PageHeader,
  Panel,
  RelativeTime,
  SkeletonRows,
  toast,
} from '../../../ui/index.ts'
import { PasswordInput } from '../../auth/index.ts'
import { browserOf } from '../model/browser-of.ts'
import { personalTokensQuery, sessionsQuery } from '../queries.ts'
import { Looks } from './Looks.tsx'
import { PersonalTokens } from './PersonalTokens.tsx'
import styles from './AccountScreen.module.css'

/** One's own name, e-mail, looks, password, sessions and tokens. */
export function AccountScreen() {
  const { user } = useSession()
  usePageTitle('Account')
  return (
    <>
      <PageHeader title="Account" />
      <PageBody width="narrow">
        {user === null ? null : <Profile key={user.id} user={user} />}
        {user === null ? null : <Looks user={user} />}
        <Password email={user?.email ?? ''} />
        <Sessions />
        <PersonalTokens />
      </PageBody>
    </>
  )
}

function Profile({ user }: { readonly user: User }) {
  const queryClient = useQueryClient()
  const form = useForm({
    initial: { name: user.name, email: user.email, currentPassword: '' },
    validate: ({ email, currentPassword }) => ({
      ...(!emailSchema.safeParse(email).success && { email: 'Enter an e-mail address, like ann@example.com.' }),
      ...(email.trim().toLowerCase() !== user.email &&
        currentPassword === '' && { currentPassword: 'Your password is needed to change the e-mail.' }),
    }),
    submit: async ({ name, email, currentPassword }) => {
      const changed = await api.call(updateMe, {
        body: { name, ...(email.trim().toLowerCase() !== user.email && { email, currentPassword }) },
      })
      showSaved(queryClient, sessionQuery.queryKey, (old) => (old ? { ...old, user: changed } : old))
      form.reset({ name: changed.name, email: changed.email, currentPassword: '' })
      toast({ title: 'Account saved', tone: 'ok' })
    },
  })
  const newEmail = form.values.email.trim().toLowerCase() !== user.email
  return (
    <form noValidate onSubmit={form.onSubmit}>
      <Panel
        title="You"
        footer={
          <Button type="submit" variant="primary" busy={form.busy} disabled={!form.dirty}>
            Save
          </Button>
        }
      >
        <FieldStack rows>
          <Field label="Name" help="Shown where you are assigned or comment." error={form.errors.name}>
            <Input autoComplete="name" value={form.values.name} onValueChange={(value) => form.set('name', value)} />
          </Field>
          <Field label="E-mail" help="You log in with it." error={form.errors.email}>
            <Input
              type="email"
              autoComplete="email"
              value={form.values.email}
              onValueChange={(value) => form.set('email', value)}
            />
          </Field>
          {newEmail ? (
            <Field label="Your password" help="To confirm the new e-mail." error={form.errors.currentPassword}>
              <PasswordInput
                autoComplete="current-password"
                value={form.values.currentPassword}
                onValueChange={(value) => form.set('currentPassword', value)}
              />
            </Field>
          ) : null}
          {form.failure === undefined ? null : <Notice tone="error">{form.failure}</Notice>}
        </FieldStack>
      </Panel>
    </form>
  )
}

function Password({ email }: { readonly email: string }) {
  const queryClient = useQueryClient()
  const form = useForm({
    initial: { currentPassword: '', password: '', revokeTokens: false },
    validate: ({ currentPassword, password }) => {
      const wrong = checkNewPassword(password)
      return {
        ...(currentPassword === '' && { currentPassword: 'Enter the password you have now.' }),
        ...(wrong !== undefined && { password: wrong }),
      }
    },
    submit: async (body) => {
      await api.call(updatePassword, { body })
      // The session and its CSRF token may be new.
      showAtOnce(queryClient, sessionQuery.queryKey, await fetchSession())
      form.reset({ currentPassword: '', password: '', revokeTokens: false })
      void queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey })
      if (body.revokeTokens) showSaved(queryClient, personalTokensQuery.queryKey, () => [])
      toast({
        title: `Password changed. All other sessions were ended${body.revokeTokens ? ', and your personal tokens revoked' : ''}.`,
        tone: 'ok',
      })
    },
  })
  return (
    <form noValidate onSubmit={form.onSubmit}>
      <Panel
        title="Password"
        footer={
          <Button type="submit" busy={form.busy}>
            Change password
          </Button>
        }
      >
        {/* Password managers look for the account's name in the same form. */}
        <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
        <FieldStack rows>
          <Field label="Current password" error={form.errors.currentPassword}>
            <PasswordInput
              autoComplete="current-password"
              value={form.values.currentPassword}
              onValueChange={(value) => form.set('currentPassword', value)}
            />
          </Field>
          <Field label="New password" help={PASSWORD_HELP} error={form.errors.password}>
            <PasswordInput
              autoComplete="new-password"
              value={form.values.password}
              onValueChange={(value) => form.set('password', value)}
            />
          </Field>
          <Checkbox
            label="Revoke my personal tokens as well"
            checked={form.values.revokeTokens}
            onCheckedChange={(revokeTokens) => form.set('revokeTokens', revokeTokens)}
          />
          {form.failure === undefined ? null : <Notice tone="error">{form.failure}</Notice>}
        </FieldStack>
      </Panel>
    </form>
  )
}

/** What is about to be ended: one session, or all but this one. */
type Ending = LoginSession | 'others'

function Sessions() {
  const queryClient = useQueryClient()
  const sessions = useQuery(sessionsQuery)
  // The question keeps its words while it closes.
  const [ending, setEnding] = useState<Ending | null>(null)
  const [asking, setAsking] = useState(false)
  const [busy, setBusy] = useState(false)
  const list = useRef<HTMLUListElement>(null)
  /** Of the buttons in the list, the one that was pressed: afterwards the focus goes to what is there. */
  const [row, setRow] = useState(0)
  const others = sessions.data?.filter((session) => !session.isCurrent).length ?? 0
  const ask = (what: Ending): void => {
    setEnding(what)
    setRow(what === 'others' ? 0 : (sessions.data?.filter((session) => !session.isCurrent).indexOf(what) ?? 0))
    setAsking(true)
  }
  const end = async (what: Ending): Promise<void> => {
    setBusy(true)
    try {
      await (what === 'others' ? api.call(endOtherSessions) : api.call(endSession, { params: { session: what.id } }))
      showSaved(queryClient, sessionsQuery.queryKey, (old) =>
        old?.filter((session) => session.isCurrent || (what !== 'others' && session.id !== what.id)),
      )
      toast({ title: what === 'others' ? 'All other sessions are ended' : 'The session is ended', tone: 'ok' })
    } catch (error) {
      toast({ title: 'The session could not be ended', description: describeError(error).detail, tone: 'error' })
      // It may have ended by itself, or elsewhere.
      void queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey })
    } finally {
      setBusy(false)
      setAsking(false)
    }
  }
  return (
    <Panel
      title="Signed in at"
      content="rows"
      actions={
        others === 0 ? undefined : (
          <Button size="small" variant="danger" onClick={() => ask('others')}>
            End all others
          </Button>
        )
      }
    >
      {sessions.data === undefined ? (
        sessions.isError ? (
          <ErrorState
            compact
            title="The sessions could not be loaded"
            {...describeError(sessions.error)}
            onRetry={() => void sessions.refetch()}
          />
        ) : (
          <SkeletonRows rows={2} rowHeight={52} label="Loading the sessions" />
        )
      ) : (
        <ul ref={list} tabIndex={-1}>
          {sessions.data.map((session) => (
            <SessionRow key={session.id} session={session} onEnd={() => ask(session)} />
          ))}
        </ul>
      )}
      <AlertDialog
        open={asking}
        onOpenChange={setAsking}
        title={ending === 'others' ? 'End all other sessions?' : 'End this session?'}
        description={
          ending === 'others' || ending === null
            ? 'Everybody who uses your account elsewhere is signed out at once. This browser stays signed in.'
            : `${describe(ending)} is signed out at once. Whoever knows the password can sign in again: change it if that was not you.`
        }
        confirmLabel={ending === 'others' ? 'End all others' : 'End session'}
        busy={busy}
        finalFocus={() => {
          const buttons = list.current?.querySelectorAll('button') ?? []
          return buttons[Math.min(row, buttons.length - 1)] ?? list.current
        }}
        onConfirm={() => {
          if (ending !== null) void end(ending)
        }}
      />
    </Panel>
  )
}

/** Where the person is signed in, and since when. */
function SessionRow({ session, onEnd }: { readonly session: LoginSession; readonly onEnd: () => void }) {
  return (
    <li className={styles.session}>
      <div className={styles.where}>
        <p className={styles.name}>
          {browserOf(session.userAgent)} {session.isCurrent ? <Badge tone="accent">This one</Badge> : null}
        </p>
        <p className={styles.sub}>
          {session.address === '' ? null : `${session.address} · `}
          {session.isCurrent ? (
            'active now'
          ) : (
            <>
              seen <RelativeTime time={session.lastSeen} />
            </>
          )}{' '}
          · since <RelativeTime time={session.dateCreated} />
        </p>
      </div>
      {session.isCurrent ? null : (
        <Button size="small" variant="danger" onClick={onEnd} aria-label={`End ${describe(session)}`}>
          End
        </Button>
      )}
    </li>
  )
}

const describe = ({ userAgent, address }: LoginSession): string =>
  address === '' ? browserOf(userAgent) : `${browserOf(userAgent)} at ${address}`
