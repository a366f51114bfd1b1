import { acceptInvitation, ApiError } from '@firsthand/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useParams, useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { api, describeError, rememberSession } from '../../../lib/api.ts'
import { sessionKey } from '../../../lib/query-keys.ts'
import { chooseTheme } from '../../../lib/theme.ts'
import { useForm } from '../../../lib/use-form.ts'
import { Button, ButtonLink, ErrorState, Field, FieldStack, Input, Notice, SkeletonRows } from '../../../ui/index.ts'
import { checkNewPassword, PASSWORD_HELP } from '../../../lib/password.ts'
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
          title={gone ? 'This invitation does not work any more' : 'The invitation could not be loaded'}
          detail={
            gone
              ? 'It was used, withdrawn, or is too old. Ask the person who invited you for a new link.'
              : describeError(invitation.error).detail
          }
          onRetry={gone ? undefined : () => void invitation.refetch()}
        />
        <ButtonLink to="/login">Go to log-in</ButtonLink>
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
  hasAccount,
}: {
  readonly token: string
  readonly organization: { readonly slug: string; readonly name: string }
  readonly email: string
  readonly role: string
  readonly hasAccount: boolean
}) {
  const queryClient = useQueryClient()
  const router = useRouter()
  const form = useForm({
    initial: { name: '', password: '' },
    validate: ({ password }) => {
      const wrong = hasAccount ? (password === '' ? 'Enter your password.' : undefined) : checkNewPassword(password)
      return wrong === undefined ? {} : { password: wrong }
    },
    submit: async ({ name, password }) => {
      const session = await api.call(acceptInvitation, {
        params: { token },
        body: { password, ...(!hasAccount && name.trim() !== '' && { name }) },
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
      lead={`You are invited as ${role}. ${hasAccount ? 'Confirm with the password of your account.' : 'Choose a password for your account.'}`}
    >
      <form noValidate className={styles.form} onSubmit={form.onSubmit}>
        <FieldStack>
          <Field label="E-mail">
            <Input type="email" autoComplete="username" value={email} readOnly />
          </Field>
          {hasAccount ? null : (
            <Field label="Your name" optional error={form.errors.name}>
              <Input
                autoComplete="name"
                autoFocus
                value={form.values.name}
                onValueChange={(value) => form.set('name', value)}
              />
            </Field>
          )}
          <Field label="Password" error={form.errors.password} help={hasAccount ? undefined : PASSWORD_HELP}>
            <PasswordInput
              autoComplete={hasAccount ? 'current-password' : 'new-password'}
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
