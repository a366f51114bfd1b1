import { logIn } from '@firsthand/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useRouter, useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { api, rememberSession, sessionOverText } from '../../../lib/api.ts'
import { sessionKey } from '../../../lib/query-keys.ts'
import { chooseTheme } from '../../../lib/theme.ts'
import { useForm } from '../../../lib/use-form.ts'
import { Button, Field, FieldStack, Input, Notice } from '../../../ui/index.ts'
import { AuthPage } from './AuthPage.tsx'
import { PasswordInput } from './PasswordInput.tsx'
import styles from './form.module.css'

/** E-mail and password. */
export function LogInScreen() {
  const queryClient = useQueryClient()
  const router = useRouter()
  const { next } = useSearch({ from: '/login' })
  const [sessionOver] = useState(() => (next === undefined ? null : sessionOverText()))
  useEffect(() => {
    document.title = 'Log in · Firsthand'
  }, [])
  const form = useForm({
    initial: { email: '', password: '' },
    validate: ({ email, password }) => ({
      ...(email.trim() === '' && { email: 'Enter your e-mail address.' }),
      ...(password === '' && { password: 'Enter your password.' }),
    }),
    submit: async (body) => {
      const session = await api.call(logIn, { body })
      queryClient.clear()
      queryClient.setQueryData(sessionKey, rememberSession(session))
      if (session.user !== null) chooseTheme(session.user.options.theme)
      if (next === undefined) await router.navigate({ to: '/' })
      else router.history.push(next)
    },
  })
  return (
    <AuthPage title="Log in">
      <form noValidate className={styles.form} onSubmit={form.onSubmit}>
        <FieldStack>
          {sessionOver === null ? null : <Notice>{sessionOver}</Notice>}
          <Field label="E-mail" error={form.errors.email}>
            <Input
              type="email"
              autoComplete="username"
              autoFocus
              value={form.values.email}
              onValueChange={(value) => form.set('email', value)}
            />
          </Field>
          <Field label="Password" error={form.errors.password}>
            <PasswordInput
              autoComplete="current-password"
              value={form.values.password}
              onValueChange={(value) => form.set('password', value)}
            />
          </Field>
          {form.failure === undefined ? null : <Notice tone="error">{form.failure}</Notice>}
          <Button type="submit" variant="primary" busy={form.busy}>
            Log in
          </Button>
        </FieldStack>
      </form>
    </AuthPage>
  )
}
