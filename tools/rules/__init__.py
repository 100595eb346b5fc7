# SPDX-License-Identifier: Apache-2.0
"""The house rules, one file per kind of rule."""
