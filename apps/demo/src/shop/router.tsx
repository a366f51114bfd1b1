import { createRootRoute, createRoute, createRouter, Link } from '@tanstack/react-router'
import { Frame } from './parts/Frame.tsx'
import { BasketPage } from './pages/BasketPage.tsx'
import { Catalogue } from './pages/Catalogue.tsx'
import { CheckoutPage } from './pages/CheckoutPage.tsx'
import { ProductPage } from './pages/ProductPage.tsx'
import { Workbench } from './pages/Workbench.tsx'

const root = createRootRoute({
  component: Frame,
  notFoundComponent: () => (
    <>
      <h1>There is no such page</h1>
      <p>
        <Link to="/">Back to the shop</Link>
      </p>
    </>
  ),
})

const getParentRoute = () => root

const routes = [
  createRoute({ getParentRoute, path: '/', component: Catalogue }),
  createRoute({ getParentRoute, path: '/product/$id', component: ProductPage }),
  createRoute({ getParentRoute, path: '/basket', component: BasketPage }),
  createRoute({ getParentRoute, path: '/checkout', component: CheckoutPage }),
  createRoute({ getParentRoute, path: '/workbench', component: Workbench }),
] as const

/** Errors of pages go to our own boundary, which reports them. */
export const router = createRouter({
  routeTree: root.addChildren(routes),
  defaultErrorComponent: ({ error }) => {
    throw error
  },
  scrollRestoration: true,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
