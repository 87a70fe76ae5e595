// The little of a browser that modules of the page ask for when they are loaded; tests give what more they need.
const stored = new Map([["mapkit-secret", "known"]]);
const given = {
  navigator: { userAgent: "Node" },
  location: { protocol: "http:", host: "127.0.0.1:8000", pathname: "/", search: "" },
  sessionStorage: { getItem: (key) => stored.get(key) ?? null, setItem: (key, value) => stored.set(key, value), removeItem: (key) => stored.delete(key) },
  history: { replaceState: (_state, _title, address) => (location.search = new URL(address, "http://127.0.0.1:8000").search) },
  document: { documentElement: { dataset: {}, style: {} }, addEventListener: () => undefined, createElement: () => ({ style: {} }) },
  localStorage: { getItem: () => null, setItem: () => undefined },
  window: globalThis,
  matchMedia: () => ({ matches: false, addEventListener: () => undefined }),
  addEventListener: () => undefined,
};
for (const [name, value] of Object.entries(given)) if (!(name in globalThis)) Object.defineProperty(globalThis, name, { value });
