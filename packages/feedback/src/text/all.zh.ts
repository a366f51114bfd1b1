import { pictureTexts } from './picture.zh.ts'
import { texts } from './zh.ts'

export const catalogue = { ...texts, ...pictureTexts }
