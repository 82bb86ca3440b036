// An exported file in Firefox: node firefox_file.mjs FIREFOX ADDRESS. Prints what was seen, as JSON.
import puppeteer from "puppeteer-core";

const [executablePath, address] = process.argv.slice(2);
const patience = { timeout: 180_000, protocolTimeout: 360_000 };
const options = { browser: "firefox", executablePath, headless: true, defaultViewport: null, args: ["--width=1400", "--height=985"], ...patience };
const browser = await puppeteer.launch(options);
const page = await browser.newPage();
page.setDefaultTimeout(patience.timeout);
const errors = [];
page.on("pageerror", (error) => errors.push(String(error)));
page.on("console", (said) => said.type() === "error" && errors.push(said.text()));

const find = (selector) => page.waitForSelector(`>>> ${selector}`, { visible: true });
const text = async (selector) => (await find(selector)).evaluate((node) => node.textContent);
const press = async (...keys) => {
  await (await find(".fl-app")).focus();
  for (const key of keys) await page.keyboard.press(key);
};

const seen = {};
await page.goto(address);
await find(".fl-app[data-rendered]");
await press("g", "ArrowRight");
await find(".fl-app[data-step='1']");
seen.walked = await (await find(".fl-app")).evaluate((node) => node.dataset.step);
await press("n");
while (!(seen.card = await text(".fl-slot-inspector")).includes("Compaction"));
await press("/");
await (await find(".fl-find input")).type("UTC");
await page.keyboard.press("Enter");
seen.hit = await text(".fl-inspector mark");
seen.errors = errors;
await browser.close();
console.log(JSON.stringify(seen));
