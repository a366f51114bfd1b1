import { acceptInvitation, ApiError } from '@firsthand/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useParams, useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { api, describeError, rememberSession } from '../../../lib/api.ts'
import { sessionKey } from '../../../lib/query-keys.ts'
import { sessionQuery } from '../../../lib/shared-queries.ts'
import { chooseTheme } from '../../../lib/theme.ts'
import { useForm } from '../../../lib/use-form.ts'
import { Button, ButtonLink, ErrorState, Field, FieldStack, Input, Notice, SkeletonRows } from '../../../ui/index.ts'
import { checkNewPassword, NEW_PASSWORD_HELP } from '../../../lib/password.ts'
import { invitationQuery } from '../queries.ts'
import { AuthPage } from './AuthPage.tsx'
import { PasswordInput } from './PasswordInput.tsx'
import styles from './form.module.css'

/** Somebody opened the link they were sent: an account, and into the organisation. */
export function InvitationScreen() {
  const { token } = useParams({ from: '/accept-invite/$token' })
  const invitation = useQuery(invitationQuery(token))
  useEffect(() => {
    document.title = 'Invitation · Firsthand'
  }, [])
  if (invitation.isPending) {
    return (
      <AuthPage title="Invitation">
        <SkeletonRows rows={4} label="Loading the invitation" />
      </AuthPage>
    )
  }
  if (invitation.isError) {
    const gone = invitation.error instanceof ApiError && invitation.error.status < 500
    return (
      <AuthPage title="Invitation">
        <ErrorState
          compact
          title={gone ? 'This invitation is no longer valid' : 'The invitation could not be loaded'}
          detail={
            gone
              ? 'It was already used, was withdrawn, or has expired. Ask the person who invited you for a new link.'
              : describeError(invitation.error).detail
          }
          onRetry={gone ? undefined : () => void invitation.refetch()}
        />
        <ButtonLink to="/login">Log in</ButtonLink>
      </AuthPage>
    )
  }
  return <InvitationForm token={token} {...invitation.data} />
}

function InvitationForm({
  token,
  organization,
  email,
  role,
}: {
  readonly token: string
  readonly organization: { readonly slug: string; readonly name: string }
  readonly email: string
  readonly role: string
}) {
  const queryClient = useQueryClient()
  const router = useRouter()
  const signedIn = useQuery(sessionQuery).data?.user?.email
  const form = useForm({
    initial: { name: '', password: '' },
    validate: ({ password }) => {
      const wrong = checkNewPassword(password)
      return wrong === undefined ? {} : { password: wrong }
    },
    submit: async ({ name, password }) => {
      const session = await api.call(acceptInvitation, {
        params: { token },
        body: { password, ...(name.trim() !== '' && { name }) },
      })
      queryClient.clear()
      queryClient.setQueryData(sessionKey, rememberSession(session))
      if (session.user !== null) chooseTheme(session.user.options.theme)
      await router.navigate({ to: '/organizations/$org/issues', params: { org: organization.slug } })
    },
  })
  return (
    <AuthPage
      title={`Join ${organization.name}`}
      lead={`You are invited as ${role === 'owner' || role === 'admin' ? 'an' : 'a'} ${role}. Choose a password. If you already have an account with this address, enter its password; your name there does not change.`}
    >
      <form noValidate className={styles.form} onSubmit={form.onSubmit}>
        <FieldStack>
          {signedIn === undefined || signedIn === email ? null : (
            <Notice>
              This invitation is for {email}. You are signed in as {signedIn}: joining signs you in as {email} instead.
            </Notice>
          )}
          <Field label="E-mail">
            <Input type="email" autoComplete="username" value={email} readOnly />
          </Field>
          <Field label="Your name" optional error={form.errors.name}>
            <Input
              autoComplete="name"
              autoFocus
              value={form.values.name}
              onValueChange={(value) => form.set('name', value)}
            />
          </Field>
          <Field label="Password" error={form.errors.password} help={NEW_PASSWORD_HELP}>
            <PasswordInput
              autoComplete="on"
              value={form.values.password}
              onValueChange={(value) => form.set('password', value)}
            />
          </Field>
          {form.failure === undefined ? null : <Notice tone="error">{form.failure}</Notice>}
          <Button type="submit" variant="primary" busy={form.busy}>
            Join {organization.name}
          </Button>
        </FieldStack>
      </form>
    </AuthPage>
  )
}
