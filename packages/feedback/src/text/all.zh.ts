import { pictureTexts } from './picture.zh.ts'
import { texts } from './zh.ts'
import { topicTexts } from './topic.zh.ts'

export const catalogue = { ...texts, ...pictureTexts, ...topicTexts }
