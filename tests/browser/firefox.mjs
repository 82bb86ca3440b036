// The main journeys in Firefox, by WebDriver BiDi: node firefox.mjs FIREFOX URL. Prints what was seen, as JSON.
// Puppeteer drives an installed Firefox; Playwright drives only one of its own.
import puppeteer from "puppeteer-core";

const [executablePath, url, token] = process.argv.slice(2);
const patience = { timeout: 180_000, protocolTimeout: 360_000 };
const options = { browser: "firefox", executablePath, headless: true, defaultViewport: null, args: ["--width=1400", "--height=985"], ...patience };
const browser = await puppeteer.launch(options);
const page = await browser.newPage();
page.setDefaultTimeout(patience.timeout);
const errors = [];
// Firefox tells of WebAssembly that the policy forbids even where it is only tried: long.js, in Streamlit, does without it then.
// It also tells of a font that was on its way when the page was left: NS_BINDING_ABORTED, 0x804b0002.
const harmless = ["blocked WebAssembly", `status=${0x804b0002} `];
page.on("pageerror", (error) => harmless.some((words) => String(error).includes(words)) || errors.push(String(error)));

// `visible` asks at each frame. Without it Puppeteer asks at mutations of the document, which a change in a shadow root is not.
const find = (selector) => page.waitForSelector(`>>> ${selector}`, { visible: true });
const text = async (selector) => (await find(selector)).evaluate((node) => node.textContent);
const data = async (name) => (await find(".fl-app")).evaluate((node, key) => node.dataset[key], name);
const press = async (...keys) => {
  await (await find(".fl-app")).focus();
  for (const key of keys) await page.keyboard.press(key);
};
/** Waits until a data attribute of the debugger has another value, or the one that is asked for. */
const change = async (name, from, to) => {
  for (;;) {
    const now = await data(name);
    if (to === undefined ? now !== from : now === to) return now;
  }
};

const seen = {};
await page.goto(`${url}/?token=${token}`);
await find(".fl-app[data-rendered]");
await page.goto(`${url}/?source=sample:openai-chat/coding-session.json&policy=agentkit.memory&budget=16000&keep_recent=8&step=40`);
await find(".fl-app[data-rendered]");
seen.opened = await data("step");
await press("ArrowRight", "ArrowRight", "ArrowLeft");
seen.walked = await change("step", "40", "41");
/** Where the middle of the first word of the message is. */
const middleOfWord = (body) => {
  const [text] = body.querySelectorAll(".fl-md p, .fl-piece");
  const range = document.createRange();
  range.setStart(text.firstChild, 1);
  range.setEnd(text.firstChild, 2);
  const { left, top, bottom } = range.getBoundingClientRect();
  return [left, (top + bottom) / 2];
};
await press("g", "ArrowRight");
await change("step", "41", "1");
/** Whether the message is there whole: until it comes, the one of the step before stands in its place, or its own beginning. */
const whole = (body) => body.textContent.includes("no new dependency") && !body.querySelector("[aria-busy]");
while (!(await (await find(".fl-ibody")).evaluate(whole)));
await page.mouse.click(...(await (await find(".fl-ibody")).evaluate(middleOfWord)), { count: 2 });
await find(".fl-whychip");
await page.keyboard.press("w");
seen.asked = await (await find(".fl-lane-bar")).evaluate((lane) => lane.getAttribute("aria-label"));
await page.keyboard.press("Escape");
await press("n");
seen.compaction = await change("step", "41", "65");
seen.card = await text(".fl-slot-inspector");
seen.tokens = await data("tokens");

const rendered = await data("rendered");
const slider = await find("input[type=range][aria-label^='keep_recent,']");
await slider.focus();
await page.keyboard.press("ArrowRight");
await change("rendered", rendered);
seen.kept = await text(".fl-items");

await press("/");
await (await find(".fl-find input")).type("stability");
await page.keyboard.press("Enter");
seen.hit = await text(".fl-inspector mark");
await page.keyboard.press("Escape");
const step = await data("step");
await page.reload();
await find(".fl-app[data-rendered]");
seen.reloaded = (await data("step")) === step;

await page.goto(`${url}/library`);
seen.library = (await text(".fl-library")).length > 0;
await page.goto(`${url}/live`);
await find(".fl-status[data-status=ready]");
await (await find(".fl-lever.fl-main")).click();
await find(".fl-status[data-status=ended]");
while (Number(await data("steps")) <= 20); // the run has ended before its last steps are drawn
seen.live = true;

console.log(JSON.stringify({ ...seen, errors }));
await browser.close();
