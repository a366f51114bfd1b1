import { logOut } from '@firsthand/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useCallback } from 'react'
import { api, describeError } from '../lib/api.ts'
import { sessionKey } from '../lib/query-keys.ts'
import { Button, forgetChanges, toast } from '../ui/index.ts'

/** Ends the session on the server, forgets everything that was loaded, and shows the log-in form. */
export function useLogOut(): () => void {
  const queryClient = useQueryClient()
  const router = useRouter()
  return useCallback(() => {
    void api
      .call(logOut)
      .then(async () => {
        forgetChanges()
        queryClient.removeQueries({ queryKey: sessionKey })
        // The auth gate leads on to the log-in form.
        await router.navigate({ to: '/' })
        queryClient.removeQueries({ queryKey: ['org'] })
      })
      .catch((error: unknown) => {
        toast({ title: 'You could not be logged out', description: describeError(error).detail, tone: 'error' })
      })
  }, [queryClient, router])
}

export function LogOutButton() {
  return <Button onClick={useLogOut()}>Log out</Button>
}
