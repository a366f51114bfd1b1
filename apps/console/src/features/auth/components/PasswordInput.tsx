import { useState } from 'react'
import { EyeIcon, EyeOffIcon, IconButton, Input, type InputProps } from '../../../ui/index.ts'

/** A password that can be looked at while it is typed. */
export function PasswordInput(props: Omit<InputProps, 'type' | 'trailing'>) {
  const [shown, setShown] = useState(false)
  return (
    <Input
      {...props}
      type={shown ? 'text' : 'password'}
      trailing={
        <IconButton
          size="small"
          icon={shown ? EyeOffIcon : EyeIcon}
          label={shown ? 'Hide password' : 'Show password'}
          aria-pressed={shown}
          onClick={() => setShown(!shown)}
        />
      }
    />
  )
}
