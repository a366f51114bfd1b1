import { Toast } from '@base-ui/react/toast'
import { CloseIcon, ErrorIcon, OkIcon } from './icons.tsx'
import { connectToasts, DISMISS_AFTER_MS } from './toast.ts'
import styles from './ToastList.module.css'

interface Other {
  readonly label: string
  readonly run: () => void
}

const manager = Toast.createToastManager<Other>()

connectToasts({
  add({ title, description, tone = 'plain', action, other }) {
    const id = manager.add({
      title,
      description,
      type: tone,
      priority: tone === 'error' ? 'high' : 'low',
      // An error stays until it is closed.
      timeout: tone === 'error' ? 0 : DISMISS_AFTER_MS,
      ...(other && {
        data: {
          label: other.label,
          run: () => {
            other.run()
            manager.close(id)
          },
        },
      }),
      ...(action && {
        actionProps: {
          children: action.label,
          onClick: () => {
            action.run()
            manager.close(id)
          },
        },
      }),
    })
    return id
  },
  close: (id) => manager.close(id),
})

function Toasts() {
  const { toasts } = Toast.useToastManager<Other>()
  return toasts.map((item) => (
    <Toast.Root key={item.id} toast={item} swipeDirection={['down', 'right']} className={styles.toast}>
      <Toast.Content className={styles.content}>
        {item.type === 'ok' ? <OkIcon className={styles.ok} /> : null}
        {item.type === 'error' ? <ErrorIcon className={styles.error} /> : null}
        <div className={styles.text}>
          <Toast.Title className={styles.title} render={<p />} />
          <Toast.Description className={styles.description} />
        </div>
        {item.data === undefined ? null : (
          <button type="button" className={styles.action} onClick={item.data.run}>
            {item.data.label}
          </button>
        )}
        <Toast.Action className={styles.action} />
        <Toast.Close className={styles.close} aria-label="Close">
          <CloseIcon size={14} />
        </Toast.Close>
      </Toast.Content>
    </Toast.Root>
  ))
}

/** The region that `ToastRegion` loads; F6 moves the focus to it. */
export function ToastList() {
  return (
    <Toast.Provider toastManager={manager} limit={3}>
      <Toast.Portal>
        <Toast.Viewport data-toasts="" className={styles.viewport} aria-label="Messages">
          <Toasts />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  )
}
