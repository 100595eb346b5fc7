// SPDX-License-Identifier: Apache-2.0
// Carries the precompiled header; it has no code of its own.
