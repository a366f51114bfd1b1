import { useContext, useEffect } from 'react'
import { ConfigurationContext } from './context.ts'
import { sdkOf, type Configuration } from './sdk.ts'

let current: string | undefined

/**
 * From now on events bear this name as their transaction, and the way here is a breadcrumb. Names have parameters, not values:
 * `/product/:id`. The name it already has changes nothing.
 */
export const setRouteName = (name: string, own: Configuration = {}): void => {
  if (name === current) return
  const sdk = sdkOf(own)
  sdk.getIsolationScope?.().setTransactionName(name)
  sdk.addBreadcrumb?.({
    type: 'navigation',
    category: 'navigation.route',
    data: { ...(current !== undefined && { from: current }), to: name },
  })
  current = name
}

/** For any router: tell it the name of the route that is shown. Undefined: not known yet. */
export const useRouteName = (name: string | undefined): void => {
  const own = useContext(ConfigurationContext)
  useEffect(() => {
    if (name !== undefined) setRouteName(name, own)
  }, [name, own])
}
