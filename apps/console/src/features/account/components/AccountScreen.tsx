import { email as emailSchema, endOtherSessions, updateMe, updatePassword, type User } from '@firsthand/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { api, describeError, fetchSession } from '../../../lib/api.ts'
import { usePageTitle } from '../../../lib/page-title.ts'
import { checkNewPassword, PASSWORD_HELP } from '../../../lib/password.ts'
import { sessionQuery, useSession } from '../../../lib/shared-queries.ts'
import { useForm } from '../../../lib/use-form.ts'
import {
  Badge,
  Button,
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
import { sessionsQuery } from '../queries.ts'
import { Looks } from './Looks.tsx'
import styles from './AccountScreen.module.css'

/** One's own name, e-mail, looks, password and sessions. */
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
      </PageBody>
    </>
  )
}

function Profile({ user }: { readonly user: User }) {
  const queryClient = useQueryClient()
  const form = useForm({
    initial: { name: user.name, email: user.email, currentPassword: '' },
    validate: ({ email, currentPassword }) => ({
      ...(!emailSchema.safeParse(email).success && { email: 'Write an e-mail address, like ann@example.com.' }),
      ...(email.trim().toLowerCase() !== user.email &&
        currentPassword === '' && { currentPassword: 'Your password is needed to change the e-mail.' }),
    }),
    submit: async ({ name, email, currentPassword }) => {
      const changed = await api.call(updateMe, {
        body: { name, ...(email.trim().toLowerCase() !== user.email && { email, currentPassword }) },
      })
      queryClient.setQueryData(sessionQuery.queryKey, (old) => (old ? { ...old, user: changed } : old))
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
    initial: { currentPassword: '', password: '' },
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
      queryClient.setQueryData(sessionQuery.queryKey, await fetchSession())
      form.reset({ currentPassword: '', password: '' })
      void queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey })
      toast({ title: 'Password changed; all other sessions are ended', tone: 'ok' })
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
          <Field label="Password now" error={form.errors.currentPassword}>
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
          {form.failure === undefined ? null : <Notice tone="error">{form.failure}</Notice>}
        </FieldStack>
      </Panel>
    </form>
  )
}

function Sessions() {
  const queryClient = useQueryClient()
  const sessions = useQuery(sessionsQuery)
  const others = sessions.data?.filter((session) => !session.isCurrent).length ?? 0
  const endOthers = (): void => {
    const before = sessions.data
    queryClient.setQueryData(
      sessionsQuery.queryKey,
      before?.filter((session) => session.isCurrent),
    )
    api.call(endOtherSessions).then(
      () => toast({ title: 'All other sessions are ended', tone: 'ok' }),
      (error: unknown) => {
        queryClient.setQueryData(sessionsQuery.queryKey, before)
        toast({ title: 'The sessions go on.', description: describeError(error).detail, tone: 'error' })
      },
    )
  }
  return (
    <Panel
      title="Signed in at"
      content="rows"
      actions={
        others === 0 ? undefined : (
          <Button size="small" variant="danger" onClick={endOthers}>
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
        <ul>
          {sessions.data.map((session) => (
            <li key={session.id} className={styles.session}>
              <div>
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
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}
